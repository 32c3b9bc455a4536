import type { MeshSchema } from './mesh-schema.js';
import { formatMetadataEntry, metadataValue } from './metadata/metadata-entry.js';
import { metadataKey } from './metadata/metadata-keys.js';
import type { ArgumentValue, MeshArguments } from './parse-mesh-arguments.js';

/** An edge that a property makes. */
export interface MeshEdgeDraft {
  readonly from: string;
  readonly to: string;
  readonly type: string;
  /** The properties that make it. */
  readonly makers: readonly string[];
}

/** The node and the edges that a call of `add_<type>` makes. */
interface MeshNodeDraft {
  readonly node: {
    readonly type: string;
    readonly name: string;
    /** Metadata: `Key: value`. */
    readonly observations: readonly string[];
  };
  readonly edges: readonly MeshEdgeDraft[];
}

/** What a new node is made of (seed 3.7): an entry of metadata for each value, and the edges that some of them make. */
export function draftMeshNode(schema: MeshSchema, args: MeshArguments): MeshNodeDraft {
  const observations: string[] = [];
  const edges = new MeshEdgeSet(args.name);
  for (const [property, value] of args.values) {
    if (value === null) continue;
    observations.push(formatMetadataEntry(metadataKey(schema, property), metadataValue(value)));
    const edgeType = relationshipEdgeType(schema, property);
    if (edgeType !== undefined)
      for (const target of targetNames(value)) edges.add(edgeType, target, property);
  }
  return { node: { type: schema.type, name: args.name, observations }, edges: edges.list() };
}

/** The type of the edges that a property makes, or undefined if it makes none. */
export function relationshipEdgeType(schema: MeshSchema, property: string): string | undefined {
  return schema.properties.find(({ name }) => name === property)?.relationship?.edgeType;
}

/** The nodes that the value of a relationship property names. */
export function targetNames(value: ArgumentValue): readonly string[] {
  if (value === null) return [];
  return typeof value === 'object' ? value : [String(value)];
}

/** Edges of one node, each of them once, although two properties may make the same. */
export class MeshEdgeSet {
  readonly #from: string;
  readonly #edges = new Map<string, MeshEdgeDraft>();

  constructor(from: string) {
    this.#from = from;
  }

  add(type: string, to: string, maker: string): void {
    const key = JSON.stringify([type, to]);
    const makers = this.#edges.get(key)?.makers ?? [];
    this.#edges.set(key, { from: this.#from, to, type, makers: [...new Set([...makers, maker])] });
  }

  list(): readonly MeshEdgeDraft[] {
    return [...this.#edges.values()];
  }
}
