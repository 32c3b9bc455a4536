import type { Json } from '../../model/json.js';
import type { Node } from '../../model/node.js';
import { registryMark, registryType } from '../../model/registry-node.js';
import type { Reader } from '../../store/reader.js';
import { graphSchemaToDocument } from './graph-schema-document.js';
import { parseRegistry } from './registry-snapshot.js';
import type { RegistrySource, SchemaRegistry } from './schema-registry.js';

export interface ReadableGraph {
  readonly name: string;
  read<T>(work: (reader: Reader) => Promise<T>): Promise<T>;
}

/** The registry in the graph itself: its graph schema, or else nodes of type `Schema` with `allowed: true`. */
export class GraphSource implements RegistrySource {
  readonly name: string;
  readonly #graph: ReadableGraph;

  constructor(graph: ReadableGraph) {
    this.name = `the graph ${graph.name}`;
    this.#graph = graph;
  }

  async load(): Promise<SchemaRegistry> {
    const { source, nodes } = await this.#graph.read(async (reader) => ({
      source: await reader.schema(),
      nodes: await reader.nodesMatching(registryType, { [registryMark]: true }),
    }));
    if (source === null) return parseRegistry(registryNodesToDocument(nodes), this.name);
    const { cachedGraphSchema } = await import('../../schema/enforce/graph-schema-cache.js');
    return parseRegistry(graphSchemaToDocument(cachedGraphSchema(source)), this.name);
  }
}

/** Not validated: anybody may have written these nodes. */
export function registryNodesToDocument(nodes: readonly Node[]): {
  nodes: unknown[];
  relationships: unknown[];
} {
  const relationships = nodes.filter(({ props }) => props['kind'] === 'relationship');
  return {
    nodes: nodes
      .filter((node) => !relationships.includes(node))
      .map(({ name, props }) => ({
        label: name,
        ...optionalField('remaps_from', props['absorbs']),
        ...sharedFields(props),
      })),
    relationships: relationships.map(({ name, props }) => ({
      type: name,
      ...optionalField('from_labels', props['from']),
      ...optionalField('to_labels', props['to']),
      ...sharedFields(props),
    })),
  };
}

function sharedFields(props: Node['props']): object {
  return {
    ...optionalField('required_properties', props['required_properties']),
    ...optionalField('property_types', props['property_types']),
  };
}

function optionalField(name: string, value: Json | undefined): object {
  return value === undefined || value === null ? {} : { [name]: value };
}
