import type { Ids } from '../model/clock.js';
import type { Props } from '../model/json.js';
import type { GraphSchema } from '../schema/pg/graph-schema.js';
import { lineProblem } from './line-problem.js';
import type { IngestMode } from './modes.js';
import { namedEdge, namedNode } from './named.js';
import type { Line } from './records.js';

/** A node as a batch leaves it. */
export interface BatchNode {
  /** The last line that speaks of it. */
  readonly line: number;
  readonly type: string;
  readonly name: string;
  /** Null takes a property away. */
  readonly props: Props;
  readonly summary: string | null | undefined;
  readonly tags: readonly string[] | undefined;
  readonly observations: readonly string[] | undefined;
}

/** The type and name of a node at the end of an edge; without a type, whatever bears the name. */
export interface EndName {
  readonly type: string | undefined;
  readonly name: string;
}

/** An edge as a batch leaves it. */
export interface BatchEdge {
  readonly line: number;
  readonly type: string;
  readonly from: EndName;
  readonly to: EndName;
  readonly key: string;
  readonly weight: number | undefined;
  readonly props: Props;
}

export interface BatchOptions {
  readonly schema: GraphSchema | null;
  readonly mode: IngestMode;
  /** For nodes that nothing names. */
  readonly ids: Ids;
  readonly now: number;
}

/** The lines of a batch by what they are about, each thing once, in the order in which they first speak of it. */
export class Batch {
  readonly nodes = new Map<string, BatchNode>();
  readonly edges = new Map<string, BatchEdge>();
  readonly #options: BatchOptions;

  constructor(options: BatchOptions) {
    this.#options = options;
  }

  add(line: Line): void {
    if (line.kind === 'node') this.#addNode(namedNode(line, this.#options));
    else this.#addEdge(namedEdge(line, this.#options.schema));
  }

  /** Takes something that is named already. */
  put(thing: BatchNode | BatchEdge): void {
    if ('from' in thing) this.#addEdge(thing);
    else this.#addNode(thing);
  }

  #addNode(node: BatchNode): void {
    const key = nodeKey(node);
    const earlier = this.nodes.get(key);
    if (earlier === undefined) {
      this.nodes.set(key, node);
      return;
    }
    this.#refuseTwice(node.line, `${node.type} ${JSON.stringify(node.name)}`, earlier.line);
    this.nodes.set(
      key,
      this.#options.mode === 'overwrite'
        ? node
        : {
            ...node,
            props: { ...earlier.props, ...node.props },
            summary: node.summary === undefined ? earlier.summary : node.summary,
            tags: node.tags ?? earlier.tags,
            observations: [...(earlier.observations ?? []), ...(node.observations ?? [])],
          },
    );
  }

  #addEdge(edge: BatchEdge): void {
    const key = batchEdgeKey(edge);
    const earlier = this.edges.get(key);
    if (earlier === undefined) {
      this.edges.set(key, edge);
      return;
    }
    this.#refuseTwice(edge.line, `${edge.type} ${edge.from.name} -> ${edge.to.name}`, earlier.line);
    this.edges.set(
      key,
      this.#options.mode === 'overwrite'
        ? edge
        : {
            ...edge,
            props: { ...earlier.props, ...edge.props },
            weight: edge.weight ?? earlier.weight,
          },
    );
  }

  #refuseTwice(line: number, what: string, earlier: number): void {
    if (this.#options.mode !== 'append') return;
    throw lineProblem(
      line,
      `${what} is in line ${earlier} already.`,
      'Leave one of the two out, or use the mode merge.',
      'NODE_EXISTS',
    );
  }
}

/** One string per node; the length keeps type and name apart. */
export function nodeKey({ type, name }: { readonly type: string; readonly name: string }): string {
  return `${type.length} ${type}${name}`;
}

export function batchEdgeKey({
  type,
  from,
  to,
  key,
}: Pick<BatchEdge, 'type' | 'from' | 'to' | 'key'>): string {
  return `${type.length} ${from.name.length} ${to.name.length} ${type}${from.name}${to.name}${key}`;
}
