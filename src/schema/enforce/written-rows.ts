import type { Node, NodeId } from '../../model/node.js';
import type { Violation } from '../../model/violation.js';
import type { EdgeDraft, NodeDraft } from '../../store/drafts.js';
import type { RowReader } from '../../store/writer.js';
import type { GraphSchema } from '../graph/graph-schema.js';

/** A node that a write puts. */
export interface PutNode {
  readonly draft: NodeDraft;
  /** What is wrong with it by itself. */
  readonly violations: readonly Violation[];
  /** What it was before the write; undefined if it was not there. */
  readonly old: Node | undefined;
}

export interface PutEdge {
  readonly draft: EdgeDraft;
  readonly violations: readonly Violation[];
}

/** What a write leaves, as far as a schema has to look at it. */
export interface WrittenRows {
  readonly schema: GraphSchema;
  readonly nodes: ReadonlyMap<NodeId, PutNode>;
  readonly edges: ReadonlyMap<string, PutEdge>;
  /** Nodes that were removed. */
  readonly removedNodes: ReadonlySet<NodeId>;
  /** By type of edge, the nodes that lost one that led away from them. */
  readonly removedEdgeSources: ReadonlyMap<string, ReadonlySet<NodeId>>;
}

/** Ids, values or edges that are looked up at a time. */
export const chunkSize = 1_000;

/** Cuts a list into portions. */
export function* chunks<T>(items: Iterable<T>, size: number = chunkSize): Generator<T[]> {
  let some: T[] = [];
  for (const item of items) {
    some.push(item);
    if (some.length < size) continue;
    yield some;
    some = [];
  }
  if (some.length > 0) yield some;
}

/** What is known of a node at the end of an edge. */
export interface EdgeEnd {
  readonly type: string;
  readonly name: string;
}

/** The nodes of these ids that are there when the write ends. */
export async function readEdgeEnds(
  { nodes, removedNodes }: WrittenRows,
  reader: RowReader,
  ids: Iterable<NodeId>,
): Promise<Map<NodeId, EdgeEnd>> {
  const found = new Map<NodeId, EdgeEnd>();
  const unknown: NodeId[] = [];
  for (const id of new Set(ids)) {
    const put = nodes.get(id);
    if (put !== undefined) found.set(id, put.draft);
    else if (!removedNodes.has(id)) unknown.push(id);
  }
  for (const some of chunks(unknown)) {
    for (const node of await reader.nodesById(some)) if (!node.stub) found.set(node.id, node);
  }
  return found;
}
