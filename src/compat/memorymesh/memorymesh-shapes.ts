import type { EdgeSpec, NodeSpec, Subgraph } from '../../engine/specs.js';
import type { EdgeUpdateSpec as EngineEdgeUpdate } from '../../engine/write/update-edges.js';
import type { NodeUpdateSpec as EngineNodeUpdate } from '../../engine/write/update-nodes.js';
import type { Edge as StoredEdge } from '../../model/edge.js';

/** `type` marks lines of a file: it may be passed, and is never returned. */
export interface MemoryMeshNode {
  type?: 'node';
  name: string;
  nodeType: string;
  metadata: string[];
}

export interface MemoryMeshEdge extends EdgeIdentifier {
  type?: 'edge';
  /** 0 to 1; default: 1. */
  weight?: number;
}

export interface MemoryMeshGraph {
  nodes: MemoryMeshNode[];
  edges: MemoryMeshEdge[];
}

export interface MemoryMeshNodeUpdate {
  name: string;
  metadata?: string[];
  nodeType?: string;
}

export interface EdgeIdentifier {
  from: string;
  to: string;
  edgeType: string;
}

/** The weight, under either name, is averaged with the current one; the other fields move the edge. */
export interface MemoryMeshEdgeUpdate extends EdgeIdentifier {
  weight?: number;
  newWeight?: number;
  newFrom?: string;
  newTo?: string;
  newEdgeType?: string;
}

/** Edges that match in every field that is present. */
export type EdgeFilter = Partial<EdgeIdentifier>;

export function libraryNodeSpec({ name, nodeType, metadata }: MemoryMeshNode): NodeSpec {
  return { name, type: nodeType, observations: metadata };
}

export function libraryEdgeSpec({ from, to, edgeType, weight }: MemoryMeshEdge): EdgeSpec {
  return { from, to, type: edgeType, ...(weight === undefined ? {} : { weight }) };
}

export function toEngineNodeUpdate({ name, metadata, nodeType }: MemoryMeshNodeUpdate): EngineNodeUpdate {
  return {
    name,
    ...(metadata === undefined ? {} : { facts: metadata }),
    ...(nodeType === undefined ? {} : { type: nodeType }),
  };
}

export function toEngineEdgeUpdate(update: MemoryMeshEdgeUpdate): EngineEdgeUpdate {
  const { from, to, edgeType, newFrom, newTo, newEdgeType, newWeight = update.weight } = update;
  return {
    ...{ from, to, type: edgeType },
    ...(newWeight === undefined ? {} : { weight: newWeight }),
    ...(newFrom === undefined ? {} : { newFrom }),
    ...(newTo === undefined ? {} : { newTo }),
    ...(newEdgeType === undefined ? {} : { newType: newEdgeType }),
  };
}

export function toLibraryEdge({ fromName, toName, type, weight }: StoredEdge): MemoryMeshEdge {
  return { from: fromName, to: toName, edgeType: type, weight };
}

export function toLibraryGraph({ nodes, edges }: Subgraph): MemoryMeshGraph {
  return {
    nodes: nodes.map(({ node, facts }) => ({ name: node.name, nodeType: node.type, metadata: [...facts] })),
    edges: edges.map(toLibraryEdge),
  };
}
