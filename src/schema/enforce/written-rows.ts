import { chunksOf } from '../../bounds/chunks.js';
import type { NodeId } from '../../model/node.js';
import type { Violation } from '../../model/violation.js';
import type { EdgeDraft } from '../../store/drafts.js';
import type { RowReader } from '../../store/reader.js';
import type { ValidatedNode } from '../../store/write-validator.js';
import type { GraphSchema } from '../graph/graph-schema.js';
import type { SettledNodes } from './settled-nodes.js';

export interface PutEdge {
  readonly draft: EdgeDraft;
  readonly violations: readonly Violation[];
}

/** What a write did, as far as it matters to the schema. */
export interface WrittenRows {
  readonly schema: GraphSchema;
  readonly nodes: ReadonlyMap<NodeId, ValidatedNode>;
  readonly edges: ReadonlyMap<string, PutEdge>;
  readonly removedNodes: ReadonlySet<NodeId>;
  /** Nodes that are valid and not in `nodes`. */
  readonly settled: Pick<SettledNodes, 'get'>;
  /** By type of edge, further nodes whose outgoing ones have to be counted, such as those that lost one. */
  readonly edgeSources: ReadonlyMap<string, ReadonlySet<NodeId>>;
  /** Whether the write is done: until then, what is missing may still come. */
  readonly isComplete: boolean;
}

export interface EdgeEnd {
  readonly type: string;
  readonly name: string;
}

/** Those of the nodes that exist when the write ends. */
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
  for (const some of chunksOf(unknown)) {
    for (const node of await reader.nodesById(some)) if (!node.stub) found.set(node.id, node);
  }
  return found;
}
