import { GraphSource, type ReadableGraph } from './graph-source.js';
import type { RegistrySource } from './schema-registry.js';

export const registryLocations = ['graph', 'graph_schema', 'elsewhere'] as const;

/** Where the registry is changed: in nodes of the graph, in its graph schema, or in files of the operator. */
export type RegistryLocation = (typeof registryLocations)[number];

export async function registryLocationOf(
  source: RegistrySource,
  graph: ReadableGraph,
): Promise<RegistryLocation> {
  if (!(source instanceof GraphSource)) return 'elsewhere';
  return (await graph.read((reader) => reader.schema())) === null ? 'graph' : 'graph_schema';
}
