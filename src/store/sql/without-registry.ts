import { registryMark, registryType } from '../../model/registry-node.js';
import type { ViewTarget } from '../targets.js';
import { Catalog } from './catalog.js';
import type { Dialect } from './dialect.js';
import type { Executor, Fragment } from './executor.js';
import { type Lineage, visible } from './lineage.js';
import { nodesThatHadOne, propertyHash } from './properties/node-properties.js';
import { integer } from './rows.js';

/** The same lineage without the gate's registry, which is in the graph as long as that has no schema of its own. */
export function withoutRegistry(dialect: Dialect, lineage: Lineage): Lineage {
  if (typeof lineage.schemaSeq === 'number') return lineage;
  const registry = registryNodes(dialect, lineage);
  return {
    ...lineage,
    isShown(node) {
      const { sql, params } = dialect.inSelect(node, registry);
      return { sql: `not (${sql})`, params };
    },
  };
}

/**
 * What a read asked for, without the registry if it is hidden, asking along the way whether the graph ever had an entry:
 * most never had, and their statements stay as simple as they are. For a database that answers at once.
 */
export async function lineageShown(
  executor: Executor,
  dialect: Dialect,
  target: ViewTarget,
): Promise<Lineage> {
  const catalog = new Catalog(executor);
  if (target.registry?.hidden !== true) return catalog.lineage(target);
  const branch = await catalog.branch(target, hadEntries());
  const lineage = await catalog.lineageOn(branch, target.commit);
  return integer(branch.row, 'had_entries') === 0 ? lineage : withoutRegistry(dialect, lineage);
}

/** The column of a graph `g` that says whether it ever had an entry; worked out once, since every read asks. */
function hadEntries(): string {
  const hashes = () => marks.map((value) => propertyHash(registryType, registryMark, value));
  entryColumn ??= `, exists (select 1 from node_property p where p.graph = g.id and p.hash in (${hashes()})) as had_entries`;
  return entryColumn;
}

/** What the mark of an entry says, whether it is in force or not. */
const marks = [true, false];
let entryColumn: string | undefined;

/** A select of the nodes of the registry; mostly, one look into an index that finds none. */
function registryNodes(dialect: Dialect, lineage: Lineage): Fragment {
  const { json } = dialect.query.member('h.props', registryMark);
  const ever = nodesThatHadOne(dialect, lineage.graph, [registryType], registryMark, marks);
  const among = dialect.inSelect('h.node', ever);
  const seen = visible('node_row', 'h', lineage);
  return {
    sql: `select h.node from node_row h where ${among.sql} and ${seen.sql} and h.stub = 0 and h.type = ? and ${json.sql} in ('true', 'false')`,
    params: [...among.params, ...seen.params, registryType, ...json.params],
  };
}
