import { formatEntry, valueText } from './metadata/entry.js';
import { keyOf } from './metadata/keys.js';
import type { NodeSchema } from './node-schema.js';
import type { Arguments, ArgumentValue } from './parse-arguments.js';

/** An edge that a property makes. */
export interface DescribedEdge {
  readonly from: string;
  readonly to: string;
  readonly type: string;
  /** The properties that make it. */
  readonly makers: readonly string[];
}

/** The node and the edges that a call of `add_<type>` makes. */
export interface DescribedNode {
  readonly node: {
    readonly type: string;
    readonly name: string;
    /** Metadata: `Key: value`. */
    readonly observations: readonly string[];
  };
  readonly edges: readonly DescribedEdge[];
}

/** What a new node is made of (seed 3.7): an entry of metadata for each value, and the edges that some of them make. */
export function describeNode(schema: NodeSchema, args: Arguments): DescribedNode {
  const observations: string[] = [];
  const edges = new EdgeSet(args.name);
  for (const [property, value] of args.values) {
    if (value === null) continue;
    observations.push(formatEntry(keyOf(schema, property), valueText(value)));
    const edgeType = edgeTypeOf(schema, property);
    if (edgeType !== undefined) for (const target of targetsOf(value)) edges.add(edgeType, target, property);
  }
  return { node: { type: schema.type, name: args.name, observations }, edges: edges.list() };
}

/** The type of the edges that a property makes, or undefined if it makes none. */
export function edgeTypeOf(schema: NodeSchema, property: string): string | undefined {
  return schema.properties.find(({ name }) => name === property)?.relationship?.edgeType;
}

/** The nodes that the value of a relationship property names. */
export function targetsOf(value: ArgumentValue): readonly string[] {
  if (value === null) return [];
  return typeof value === 'object' ? value : [String(value)];
}

/** Edges of one node, each of them once, although two properties may make the same. */
export class EdgeSet {
  readonly #from: string;
  readonly #edges = new Map<string, DescribedEdge>();

  constructor(from: string) {
    this.#from = from;
  }

  add(type: string, to: string, maker: string): void {
    const key = JSON.stringify([type, to]);
    const makers = this.#edges.get(key)?.makers ?? [];
    this.#edges.set(key, { from: this.#from, to, type, makers: [...new Set([...makers, maker])] });
  }

  list(): readonly DescribedEdge[] {
    return [...this.#edges.values()];
  }
}
