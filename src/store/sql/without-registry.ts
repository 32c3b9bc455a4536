import { registryMark, registryType } from '../../model/registry-node.js';
import type { ReadTarget } from '../graph-targets.js';
import type { Dialect } from './dialect.js';
import type { Executor, Fragment } from './executor.js';
import { GraphCatalog } from './graph-catalog.js';
import { type Lineage, visible } from './lineage.js';
import { candidatesWithAny, propertyHash } from './properties/node-properties.js';
import { readNumber } from './rows.js';
import { sql } from './sql.js';

/** Hides the gate's registry, which is in the graph as long as that has no schema. */
export function withoutRegistry(dialect: Dialect, lineage: Lineage): Lineage {
  if (typeof lineage.schemaSeq === 'number') return lineage;
  const registry = registryNodes(dialect, lineage);
  return {
    ...lineage,
    isNodeVisible(node) {
      return sql`not (${dialect.inSelect(node, registry)})`;
    },
  };
}

/**
 * The lineage of a read; without the registry if that is hidden. Asks along the way whether the graph ever had an
 * entry: most never had, and their statements stay simple. For a database without round trips.
 */
export async function lineageShown(
  executor: Executor,
  dialect: Dialect,
  target: ReadTarget,
): Promise<Lineage> {
  const catalog = new GraphCatalog(executor);
  if (target.registry?.hidden !== true) return catalog.lineage(target);
  const branch = await catalog.branch(target, hadEntries());
  const lineage = await catalog.lineageOn(branch, target.commit);
  return readNumber(branch.row, 'had_entries') === 0 ? lineage : withoutRegistry(dialect, lineage);
}

/** Whether the graph of branch `b` ever had an entry; built once, since every read asks. */
function hadEntries(): string {
  const hashes = () => markValues.map((value) => propertyHash(registryType, registryMark, value));
  entryColumn ??= `, exists (select 1 from node_property p where p.graph = b.graph and p.hash in (${hashes()})) as had_entries`;
  return entryColumn;
}

/** Entries that are in force, and others. */
const markValues = [true, false];
let entryColumn: string | undefined;

/** Mostly one look into an index that finds nothing. */
function registryNodes(dialect: Dialect, lineage: Lineage): Fragment {
  const { json } = dialect.queryDialect.member('h.props', registryMark);
  const ever = candidatesWithAny({ dialect, graph: lineage.graph }, [registryType], registryMark, markValues);
  const among = dialect.inSelect('h.node', ever);
  const seen = visible('node_row', 'h', lineage);
  return sql`select h.node from node_row h where ${among} and ${seen} and h.stub = 0 and h.type = ${registryType} and ${json} in ('true', 'false')`;
}
