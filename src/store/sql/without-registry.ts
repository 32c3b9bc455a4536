import { registryMark, registryType } from '../../model/registry-node.js';
import type { Dialect } from './dialect.js';
import type { Executor, Fragment } from './executor.js';
import { type Lineage, visible } from './lineage.js';
import { nodesThatHadOne, propertyHash } from './properties/node-properties.js';

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
 * The same, asking first whether the graph ever had an entry of a registry: most never had, and their statements stay as
 * simple as they are. For a database that answers at once.
 */
export async function withoutRegistryIfAny(
  executor: Executor,
  dialect: Dialect,
  lineage: Lineage,
): Promise<Lineage> {
  if (typeof lineage.schemaSeq === 'number') return lineage;
  entryHashes ??= marks.map((value) => propertyHash(registryType, registryMark, value));
  const [entry] = await executor.all(
    'select p.node from node_property p where p.graph = ? and p.hash in (?, ?) limit 1',
    [lineage.graph, ...entryHashes],
  );
  return entry === undefined ? lineage : withoutRegistry(dialect, lineage);
}

/** What the mark of an entry says, whether it is in force or not. */
const marks = [true, false];
/** Worked out once, since every read asks. */
let entryHashes: readonly number[] | undefined;

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
