import { registryMark, registryType } from '../../model/registry-node.js';
import type { Dialect } from './dialect.js';
import type { Executor, Fragment } from './executor.js';
import { type Lineage, visible } from './lineage.js';
import { nodesThatHadOne } from './properties/node-properties.js';

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
  const { sql, params } = everEntries(dialect, lineage.graph);
  const [entry] = await executor.all(`${sql} limit 1`, params);
  return entry === undefined ? lineage : withoutRegistry(dialect, lineage);
}

/** A select of the nodes that are or once were entries. */
function everEntries(dialect: Dialect, graph: number): Fragment {
  return nodesThatHadOne(dialect, graph, [registryType], registryMark, [true, false]);
}

/** A select of the nodes of the registry; mostly, one look into an index that finds none. */
function registryNodes(dialect: Dialect, lineage: Lineage): Fragment {
  const { json } = dialect.query.member('h.props', registryMark);
  const among = dialect.inSelect('h.node', everEntries(dialect, lineage.graph));
  const seen = visible('node_row', 'h', lineage);
  return {
    sql: `select h.node from node_row h where ${among.sql} and ${seen.sql} and h.stub = 0 and h.type = ? and ${json.sql} in ('true', 'false')`,
    params: [...among.params, ...seen.params, registryType, ...json.params],
  };
}
