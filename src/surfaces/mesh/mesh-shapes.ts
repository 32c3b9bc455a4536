import { z } from 'zod';
import type { SubgraphPage } from '../../engine/read/fit/fit-page.js';
import type { EdgeSpec, NodeSpec, NodeWithFacts } from '../../engine/specs.js';
import { formatEdge } from '../../engine/write/find-new-edges.js';
import { limits } from '../../model/limits.js';
import { listNames } from '../../model/quoting.js';
import {
  batchInput,
  cursorInput,
  endTypeInputs,
  limitInput,
  nextCursorOutput,
  pageExtras,
  storedName,
} from '../common-shapes.js';

export const nodeName = storedName.describe('The exact name of the node');
export const metadataInput = (what: string) => batchInput(z.string().max(limits.textLength), what);

const nodeOutput = z.object({ name: z.string(), nodeType: z.string(), metadata: z.array(z.string()) });
const edgeOutput = z.object({ from: z.string(), to: z.string(), edgeType: z.string(), weight: z.number() });

export const graphData = z.object({ nodes: z.array(nodeOutput), edges: z.array(edgeOutput) });

export const emptyGraphData: z.output<typeof graphData> = { nodes: [], edges: [] };

export const pageData = graphData.extend({ nextCursor: nextCursorOutput });

export function deletedData<T extends z.ZodType>(item: T) {
  return z.object({ deleted: z.array(item), not_found: z.array(item) });
}

export const meshPageInput = {
  limit: limitInput('At most this many nodes; default: all'),
  cursor: cursorInput,
};

/** For tools that return matches with their neighbours. */
export const neighborsPageInput = {
  neighbors: z
    .boolean()
    .optional()
    .describe('Whether to include the neighbours of the matches; default: true'),
  ...meshPageInput,
  limit: limitInput('At most this many matches, and as many neighbours; default: all'),
};

/** Names an edge that must exist or is to be created. */
export const edgeInput = {
  from: storedName.describe('The name of the node where the edge starts'),
  to: storedName.describe('The name of the node where the edge ends'),
  edgeType: storedName.describe('The type of the edge, in active voice, such as located_in'),
  fromEntityType: endTypeInputs.from,
  toEntityType: endTypeInputs.to,
};

/** Clients see the bounds; the engine enforces them, with an error text of its own. */
export const advertisedWeight = (what: string) => z.number().min(0).max(1).optional().describe(what);
export const acceptedWeight = z.number().optional();

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

export function toMeshGraph({
  nodes,
  edges,
  nextCursor,
}: Omit<SubgraphPage<NodeWithFacts>, 'matches'>): z.output<typeof pageData> {
  return {
    nodes: nodes.map(nodeWithFactsToMesh),
    edges: edges.map(({ fromName: from, toName: to, type: edgeType, weight }) => ({
      from,
      to,
      edgeType,
      weight,
    })),
    ...pageExtras({ nextCursor }),
  };
}

export function listEdges(edges: readonly EdgeSpec[]): string {
  return listNames(edges.map(formatEdge));
}

/** For example `Deleted nodes: a, b. Not found: c`. */
export function deletedText(what: string, deleted: string, notFound: string): string {
  const done = `Deleted ${what}: ${deleted === '' ? 'none' : deleted}`;
  return notFound === '' ? done : `${done}. Not found: ${notFound}`;
}
