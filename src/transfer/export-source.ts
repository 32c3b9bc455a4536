import type { Edge } from '../model/edge.js';
import { groupEntries } from '../model/group-entries.js';
import type { Node, NodeId } from '../model/node.js';
import type { NodeContent } from '../store/jsonl/lines/line-record.js';
import type { Reader } from '../store/reader.js';
import { edgePages, nodePages } from './head-pages.js';

export type ExportedNode = Pick<Node, 'id' | 'provenance'> & NodeContent;
export type ExportedEdge = Omit<Edge, 'createdAt' | 'order'>;

/** A graph as the formats of an export read it. */
export interface ExportSource {
  /** In creation order, as the edges. */
  nodePages(): AsyncIterable<readonly ExportedNode[]>;
  edgePages(): AsyncIterable<readonly ExportedEdge[]>;
  /** Nodes that exist only because an edge names them. */
  stubs(): Promise<readonly ExportedNode[]>;
  edgesOf(ids: readonly NodeId[]): Promise<readonly ExportedEdge[]>;
}

export function readerSource(reader: Reader): ExportSource {
  return {
    nodePages: () => nodePages(reader),
    edgePages: () => edgePages(reader),
    stubs: async () => (await reader.stubs()).map((stub) => ({ ...stub, observations: [] })),
    edgesOf: (ids) => reader.edgesOf(ids),
  };
}

export function memorySource(
  nodes: readonly ExportedNode[],
  stubs: readonly ExportedNode[],
  edges: readonly ExportedEdge[],
): ExportSource {
  const byEnd = groupEntries(edges.flatMap((edge) => ends(edge).map((id) => [id, edge] as const)));
  return {
    async *nodePages() {
      yield nodes;
    },
    async *edgePages() {
      yield edges;
    },
    stubs: async () => stubs,
    edgesOf: async (ids) => [...new Set(ids.flatMap((id) => byEnd.get(id) ?? []))],
  };
}

function ends({ from, to }: ExportedEdge): NodeId[] {
  return from === to ? [from] : [from, to];
}
