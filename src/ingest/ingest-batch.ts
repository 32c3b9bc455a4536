import type { Ids } from '../model/clock.js';
import { defaultWeight } from '../model/edge.js';
import type { Props } from '../model/json.js';
import { equalJson } from '../model/json.js';
import { patchProps } from '../model/patch-props.js';
import {
  findStampCollision,
  overlayProvenance,
  type Provenance,
  retainProvenance,
} from '../model/provenance.js';
import { stampCollisionError } from '../model/stamp-collision-error.js';
import type { GraphSchema } from '../schema/graph/graph-schema.js';
import type { IngestMode } from './ingest-mode.js';
import { lineError } from './line-error.js';
import type { IngestEdgeLine, IngestLine, IngestNodeLine } from './parse-ingest-line.js';
import { resolveEdgeLine, resolveNodeLine } from './resolve-lines.js';
import { ThingSpool } from './thing-spool.js';

/** `line` is the last line about it. Without provenance, the existing one is kept as far as it still applies. */
export interface BatchNode
  extends Pick<IngestNodeLine, 'line' | 'type' | 'summary' | 'tags' | 'observations' | 'provenance'> {
  readonly name: string;
  /** Null removes a property. */
  readonly props: Props;
}

/** Without a type, any node of that name. */
export interface EndpointName {
  readonly type: string | undefined;
  readonly name: string;
}

export interface BatchEdge extends Pick<IngestEdgeLine, 'line' | 'type' | 'weight' | 'provenance'> {
  readonly from: EndpointName;
  readonly to: EndpointName;
  readonly key: string;
  /** The id in the line, if the schema declares another key. */
  readonly otherId?: string | undefined;
  readonly props: Props;
}

export interface BatchOptions {
  readonly schema: GraphSchema | null;
  readonly mode: IngestMode;
  /** What line numbers count, for messages; default: Line. */
  readonly lineLabel?: 'Line' | 'Statement';
  /** For nodes without a name. */
  readonly ids: Ids;
  readonly now: number;
}

/** The nodes and edges of a batch, each once, in the order of their first lines. */
export class IngestBatch {
  readonly nodes: ThingSpool<BatchNode>;
  readonly edges: ThingSpool<BatchEdge>;
  readonly #options: BatchOptions;
  #hasTypedEnds = false;

  constructor(options: BatchOptions) {
    this.#options = options;
    this.nodes = new ThingSpool<BatchNode>({
      keyOf: batchNodeKey,
      merge: (earlier, later) => this.#mergeNodes(earlier, later),
    });
    this.edges = new ThingSpool<BatchEdge>({
      keyOf: (edge) => this.#edgeKey(edge),
      merge: (earlier, later) => this.#mergeEdges(earlier, later),
    });
  }

  /** Whether edges with different keys may turn out to be one: some name the types of their ends, others do not. */
  get mayRepeatEdges(): boolean {
    return this.#hasTypedEnds;
  }

  /** A property with the name of a stamp field could not be read. */
  refuseStampCollision({ line, type, props }: BatchNode | BatchEdge, provenance: Provenance | null): void {
    const { schema, lineLabel = 'Line' } = this.#options;
    const field = schema === null ? findStampCollision(props, provenance) : undefined;
    if (field !== undefined) throw stampCollisionError(`${lineLabel} ${line}: `, type, field, { line });
  }

  add(line: IngestLine): void {
    if (line.kind === 'node') this.nodes.put(resolveNodeLine(line, this.#options));
    else this.addResolved(resolveEdgeLine(line, this.#options.schema));
  }

  addResolved(thing: BatchNode | BatchEdge): void {
    if ('from' in thing) {
      this.#hasTypedEnds ||= this.#namesEndTypes(thing);
      this.edges.put(thing);
    } else this.nodes.put(thing);
  }

  /** Refuses lines that must not be merged. */
  check(): void {
    this.nodes.check();
    this.edges.check();
  }

  dispose(): void {
    this.nodes.dispose();
    this.edges.dispose();
  }

  #mergeNodes(earlier: BatchNode, node: BatchNode): BatchNode {
    this.#refuseTwice(node.line, `${node.type} ${JSON.stringify(node.name)}`, earlier.line);
    if (this.#options.mode === 'overwrite') return node;
    return {
      ...{ ...node, ...mergeLines(earlier, node) },
      summary: node.summary === undefined ? earlier.summary : node.summary,
      tags: node.tags ?? earlier.tags,
      observations: [...(earlier.observations ?? []), ...(node.observations ?? [])],
    };
  }

  #mergeEdges(earlier: BatchEdge, edge: BatchEdge): BatchEdge {
    this.#refuseTwice(edge.line, `${edge.type} ${edge.from.name} -> ${edge.to.name}`, earlier.line);
    refuseParallel(earlier, edge);
    if (this.#options.mode === 'overwrite') return edge;
    return { ...edge, ...mergeLines(earlier, edge), weight: edge.weight ?? earlier.weight };
  }

  #edgeKey(edge: BatchEdge): string {
    const key = batchEdgeKey(edge);
    return this.#namesEndTypes(edge) ? `${key} ${JSON.stringify([edge.from.type, edge.to.type])}` : key;
  }

  /** Without a schema, edges may differ only in the types of their endpoints. */
  #namesEndTypes({ from, to }: BatchEdge): boolean {
    return this.#options.schema === null && (from.type ?? to.type) !== undefined;
  }

  #refuseTwice(line: number, what: string, earlier: number): void {
    if (this.#options.mode !== 'append') return;
    throw lineError(
      line,
      `${what} is already in line ${earlier}.`,
      'Remove one of the two lines, or use the mode merge.',
      'NODE_EXISTS',
    );
  }
}

/** Two lines that nothing but their properties tells apart may be two edges, so they never quietly become one. */
export function refuseParallel(earlier: BatchEdge, later: BatchEdge): void {
  const areTwo = earlier.otherId !== later.otherId && (earlier.otherId ?? later.otherId) !== undefined;
  if (!areTwo && (later.key !== '' || areEqual(earlier, later))) return;
  const { line, type, from, to } = later;
  throw lineError(
    line,
    `${type} ${from.name} -> ${to.name} is already in line ${earlier.line}, with ${areTwo ? 'another id' : 'other values'}; both would become one edge.`,
    `If they are two edges, give each line an "id", or declare a key for ${type} in the schema with the properties that tell them apart, such as @key(@src, @dst, since). Otherwise remove one of the lines.`,
  );
}

function areEqual(one: BatchEdge, other: BatchEdge): boolean {
  const [a, b] = [one, other].map(({ props, weight }) => [patchProps({}, props), weight ?? defaultWeight]);
  return equalJson(a, b);
}

/** Merges two lines about one thing; the later one wins. */
function mergeLines(
  earlier: BatchNode | BatchEdge,
  later: BatchNode | BatchEdge,
): Pick<BatchNode, 'props' | 'provenance'> {
  const props = { ...earlier.props, ...later.props };
  const before = retainProvenance({ props: earlier.props, provenance: earlier.provenance ?? null }, props);
  const { provenance } = later;
  return {
    props,
    provenance: provenance === undefined ? (before ?? undefined) : overlayProvenance(before, provenance),
  };
}

/** The length separates type and name. */
export function batchNodeKey({ type, name }: { readonly type: string; readonly name: string }): string {
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
