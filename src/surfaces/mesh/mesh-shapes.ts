import { z } from 'zod';
import type { SubgraphPage } from '../../engine/read/fit/fit-page.js';
import type { EdgeSpec, NodeSpec, NodeWithFacts } from '../../engine/specs.js';
import { formatEdge } from '../../engine/write/find-new-edges.js';
import type { Edge } from '../../model/edge.js';
import { limits } from '../../model/limits.js';
import { listNames } from '../../model/quoting.js';

/** A list of at most one batch. */
export function meshBatch<T extends z.ZodType>(item: T, what: string) {
  return z.array(item).max(limits.batchItems).describe(what);
}

export const meshName = z.string().min(1).max(limits.nameLength);
export const nodeName = meshName.describe('The exact name of the node');
export const metadataInput = (what: string) => meshBatch(z.string().max(limits.textLength), what);

const nodeOutput = z.object({ name: z.string(), nodeType: z.string(), metadata: z.array(z.string()) });
const edgeOutput = z.object({
  from: z.string(),
  to: z.string(),
  edgeType: z.string(),
  weight: z.number(),
});

/** What was written or read. */
export const graphData = z.object({ nodes: z.array(nodeOutput), edges: z.array(edgeOutput) });

/** Of whoever may not see more. */
export const emptyGraphData: z.output<typeof graphData> = { nodes: [], edges: [] };

/** The same, a page at a time. */
export const pageData = graphData.extend({
  nextCursor: z.string().optional().describe('Pass as cursor to get the next page; absent on the last'),
});

/** What was deleted, and what was not there. */
export function deletedData<T extends z.ZodType>(item: T) {
  return z.object({ deleted: z.array(item), not_found: z.array(item) });
}

export const meshPageInput = {
  limit: z.int().min(1).max(limits.batchItems).optional().describe('At most this many nodes; default: all'),
  cursor: z.string().min(1).max(limits.nameLength).optional().describe('The nextCursor of the previous page'),
};

export type MeshNode = z.output<typeof nodeOutput>;
export type MeshEdge = z.output<typeof edgeOutput>;

export function meshNodeSpec(node: MeshNode): NodeSpec {
  return { name: node.name, type: node.nodeType, observations: node.metadata };
}

export function meshEdgeSpec(edge: MeshEdgeInput): EdgeSpec {
  const { from, fromEntityType: fromType, to, toEntityType: toType, edgeType: type, weight } = edge;
  return { from, fromType, to, toType, type, ...(weight === undefined ? {} : { weight }) };
}

interface MeshEdgeInput {
  readonly from: string;
  readonly to: string;
  readonly edgeType: string;
  readonly fromEntityType?: string | undefined;
  readonly toEntityType?: string | undefined;
  readonly weight?: number | undefined;
}

export function toMeshNode({ name, type, observations }: NodeSpec): MeshNode {
  return { name, nodeType: type, metadata: [...observations] };
}

export function nodeWithFactsToMesh({ node, facts }: NodeWithFacts): MeshNode {
  return { name: node.name, nodeType: node.type, metadata: [...facts] };
}

export function toMeshEdge({ from, to, type, weight = 1 }: EdgeSpec): MeshEdge {
  return { from, to, edgeType: type, weight };
}

export function toMeshEdgeKey({ from, to, type }: EdgeSpec): { from: string; to: string; edgeType: string } {
  return { from, to, edgeType: type };
}

function storedEdgeToMesh({ fromName, toName, type, weight }: Edge): MeshEdge {
  return { from: fromName, to: toName, edgeType: type, weight };
}

/** A part of the graph as agents see it. */
export function toMeshGraph({
  nodes,
  edges,
  nextCursor,
}: Omit<SubgraphPage<NodeWithFacts>, 'matches'>): z.output<typeof pageData> {
  return {
    nodes: nodes.map(nodeWithFactsToMesh),
    edges: edges.map(storedEdgeToMesh),
    ...(nextCursor === undefined ? {} : { nextCursor }),
  };
}

/** Edges as a message lists them. */
export function listEdges(edges: readonly EdgeSpec[]): string {
  return listNames(edges.map(formatEdge));
}

/** `Deleted nodes: a, b. Not found: c`. */
export function deletedText(what: string, deleted: string, notFound: string): string {
  const done = `Deleted ${what}: ${deleted === '' ? 'none' : deleted}`;
  return notFound === '' ? done : `${done}. Not found: ${notFound}`;
}
