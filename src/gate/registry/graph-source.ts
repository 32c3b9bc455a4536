import type { Json } from '../../model/json.js';
import type { Node } from '../../model/node.js';
import { registryMark, registryType } from '../../model/registry-node.js';
import type { Reader } from '../../store/reader.js';
import { documentOfGraphSchema } from './graph-schema-document.js';
import { parseDocument } from './parse-document.js';
import type { RegistrySource, SchemaRegistry } from './schema-registry.js';
import { Snapshot } from './snapshot.js';

/** Something whose nodes can be read: a graph of the engine. */
export interface Readable {
  readonly name: string;
  read<T>(work: (reader: Reader) => Promise<T>): Promise<T>;
}

/** The schema that the graph itself holds: its own, if it has one, else nodes of type `Schema` with `allowed: true`. */
export class GraphSource implements RegistrySource {
  readonly name: string;
  readonly #graph: Readable;

  constructor(graph: Readable) {
    this.name = `the graph ${graph.name}`;
    this.#graph = graph;
  }

  async load(): Promise<SchemaRegistry> {
    const { source, nodes } = await this.#graph.read(async (reader) => ({
      source: await reader.schema(),
      nodes: await reader.nodesMatching(registryType, { [registryMark]: true }),
    }));
    if (source === null) return new Snapshot(parseDocument(documentOf(nodes), this.name));
    const { cachedGraphSchema } = await import('../../schema/enforce/graph-schema-cache.js');
    return new Snapshot(parseDocument(documentOfGraphSchema(cachedGraphSchema(source)), this.name));
  }
}

/** The document that schema nodes describe; not checked yet, since anybody may have written them. */
export function documentOf(nodes: readonly Node[]): { nodes: unknown[]; relationships: unknown[] } {
  const relationships = nodes.filter(({ props }) => props['kind'] === 'relationship');
  return {
    nodes: nodes
      .filter((node) => !relationships.includes(node))
      .map(({ name, props }) => ({
        label: name,
        ...given('remaps_from', props['absorbs']),
        ...sharedOf(props),
      })),
    relationships: relationships.map(({ name, props }) => ({
      type: name,
      ...given('from_labels', props['from']),
      ...given('to_labels', props['to']),
      ...sharedOf(props),
    })),
  };
}

function sharedOf(props: Node['props']): object {
  return {
    ...given('required_properties', props['required_properties']),
    ...given('property_types', props['property_types']),
  };
}

function given(name: string, value: Json | undefined): object {
  return value === undefined || value === null ? {} : { [name]: value };
}
