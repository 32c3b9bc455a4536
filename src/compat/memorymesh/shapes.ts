import type { EdgeSpec, NodeSpec, Subgraph } from '../../engine/specs.js';
import type { EdgeUpdateSpec as EngineEdgeUpdate } from '../../engine/write/update-edges.js';
import type { NodeUpdateSpec as EngineNodeUpdate } from '../../engine/write/update-nodes.js';
import type { Edge as StoredEdge } from '../../model/edge.js';

/** A node (seed 2.1). `type` is what tells lines of a file apart: it may be given, and is not answered. */
export interface Node {
  type?: 'node';
  name: string;
  nodeType: string;
  metadata: string[];
}

/** An edge (seed 2.2). */
export interface Edge {
  type?: 'edge';
  from: string;
  to: string;
  edgeType: string;
  /** 0 to 1; left out, 1. */
  weight?: number;
}

export interface Graph {
  nodes: Node[];
  edges: Edge[];
}

export interface NodeUpdate {
  name: string;
  metadata?: string[];
  nodeType?: string;
}

export interface EdgeIdentifier {
  from: string;
  to: string;
  edgeType: string;
}

/** A weight, under either name, is averaged with the one the edge has; the other fields move the edge. */
export interface EdgeUpdate extends EdgeIdentifier {
  weight?: number;
  newWeight?: number;
  newFrom?: string;
  newTo?: string;
  newEdgeType?: string;
}

/** Edges that match in every field that is given. */
export interface EdgeFilter {
  from?: string;
  to?: string;
  edgeType?: string;
}

export function nodeSpec({ name, nodeType, metadata }: Node): NodeSpec {
  return { name, type: nodeType, observations: metadata };
}

export function edgeSpec({ from, to, edgeType, weight }: Edge): EdgeSpec {
  return { from, to, type: edgeType, ...(weight === undefined ? {} : { weight }) };
}

export function nodeUpdate({ name, metadata, nodeType }: NodeUpdate): EngineNodeUpdate {
  return {
    name,
    ...(metadata === undefined ? {} : { facts: metadata }),
    ...(nodeType === undefined ? {} : { type: nodeType }),
  };
}

export function edgeUpdate(update: EdgeUpdate): EngineEdgeUpdate {
  const { from, to, edgeType, newFrom, newTo, newEdgeType, newWeight = update.weight } = update;
  return {
    ...{ from, to, type: edgeType },
    ...(newWeight === undefined ? {} : { weight: newWeight }),
    ...(newFrom === undefined ? {} : { newFrom }),
    ...(newTo === undefined ? {} : { newTo }),
    ...(newEdgeType === undefined ? {} : { newType: newEdgeType }),
  };
}

export function toEdge({ fromName, toName, type, weight }: StoredEdge): Edge {
  return { from: fromName, to: toName, edgeType: type, weight };
}

export function toGraph({ nodes, edges }: Subgraph): Graph {
  return {
    nodes: nodes.map(({ node, facts }) => ({ name: node.name, nodeType: node.type, metadata: [...facts] })),
    edges: edges.map(toEdge),
  };
}
