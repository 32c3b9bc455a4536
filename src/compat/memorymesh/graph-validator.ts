import { checkWeight, edgesExist } from '../../engine/write/create-edges-strict.js';
import { nodesExist } from '../../engine/write/create-nodes-strict.js';
import { nodeNotFound } from '../../engine/write/nodes-by-name.js';
import { TrellisError } from '../../model/error.js';
import {
  libraryEdgeSpec,
  type MemoryMeshEdge,
  type MemoryMeshGraph,
  type MemoryMeshNode,
} from './memorymesh-shapes.js';

// biome-ignore lint/complexity/noStaticOnlyClass: mirrors the MemoryMesh library.
export class GraphValidator {
  static validateNodeProperties(node: MemoryMeshNode): void {
    requireText(node.name, "Node must have a 'name' property");
    requireText(node.nodeType, "Node must have a 'nodeType' property");
    if (!Array.isArray(node.metadata)) throw invalid("Node must have a 'metadata' array");
  }

  static validateNodeNameProperty(node: Partial<MemoryMeshNode>): void {
    requireText(node.name, "Node must have a 'name' property for updating");
  }

  static validateNodeNamesArray(nodeNames: unknown): asserts nodeNames is string[] {
    if (!Array.isArray(nodeNames)) throw invalid('nodeNames must be an array');
    if (nodeNames.some((name) => typeof name !== 'string')) throw invalid('All node names must be strings');
  }

  static validateNodeDoesNotExist(graph: MemoryMeshGraph, name: string): void {
    if (graph.nodes.some((node) => node.name === name)) throw nodesExist([name]);
  }

  static validateNodeExists(graph: MemoryMeshGraph, name: string): MemoryMeshNode {
    return graph.nodes.find((node) => node.name === name) ?? nodeNotFound({ name });
  }

  static validateEdgeProperties(edge: MemoryMeshEdge): void {
    requireText(edge.from, "Edge must have a 'from' property");
    requireText(edge.to, "Edge must have a 'to' property");
    requireText(edge.edgeType, "Edge must have an 'edgeType' property");
    if (edge.weight !== undefined) checkWeight(edge.weight);
  }

  static validateEdgeUniqueness(graph: MemoryMeshGraph, edge: MemoryMeshEdge): void {
    const { from, to, edgeType } = edge;
    const exists = graph.edges.some(
      (known) => known.from === from && known.to === to && known.edgeType === edgeType,
    );
    if (exists) throw edgesExist([libraryEdgeSpec(edge)]);
  }

  static validateEdgeReferences(graph: MemoryMeshGraph, edges: readonly MemoryMeshEdge[]): void {
    const names = new Set(graph.nodes.map(({ name }) => name));
    for (const end of edges.flatMap(({ from, to }) => [from, to]))
      if (!names.has(end)) nodeNotFound({ name: end });
  }

  static validateGraphStructure(graph: MemoryMeshGraph): void {
    if (!Array.isArray(graph.nodes)) throw invalid("Graph must have a 'nodes' array");
    if (!Array.isArray(graph.edges)) throw invalid("Graph must have an 'edges' array");
    for (const node of graph.nodes) GraphValidator.validateNodeProperties(node);
    for (const edge of graph.edges) GraphValidator.validateEdgeProperties(edge);
    GraphValidator.validateEdgeReferences(graph, graph.edges);
  }
}

function requireText(value: unknown, otherwise: string): void {
  if (typeof value !== 'string' || value === '') throw invalid(otherwise);
}

function invalid(message: string): TrellisError {
  return new TrellisError('INVALID_ARGUMENT', message);
}
