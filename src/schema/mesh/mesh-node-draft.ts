import type { MeshSchema } from './mesh-schema.js';
import { formatMetadataEntry, metadataValue } from './metadata/metadata-entry.js';
import { metadataKey } from './metadata/metadata-keys.js';
import type { ArgumentValue, MeshArguments } from './parse-mesh-arguments.js';

export interface MeshEdgeDraft {
  readonly from: string;
  readonly to: string;
  readonly type: string;
  /** The properties that create it. */
  readonly makers: readonly string[];
}

interface MeshNodeDraft {
  readonly node: {
    readonly type: string;
    readonly name: string;
    /** Metadata: `Key: value`. */
    readonly observations: readonly string[];
  };
  readonly edges: readonly MeshEdgeDraft[];
}

/** A new node has a metadata entry for each value, and the edges of its relationship properties. */
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

export function relationshipEdgeType(schema: MeshSchema, property: string): string | undefined {
  return schema.properties.find(({ name }) => name === property)?.relationship?.edgeType;
}

export function targetNames(value: ArgumentValue): readonly string[] {
  if (value === null) return [];
  return typeof value === 'object' ? value : [String(value)];
}

/** Edges of one node without duplicates: two properties may create the same edge. */
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
