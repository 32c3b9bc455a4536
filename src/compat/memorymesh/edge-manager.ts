import { createEdgesStrict } from '../../engine/write/create-edges-strict.js';
import { deleteEdges } from '../../engine/write/delete-edges.js';
import { updateEdges } from '../../engine/write/update-edges.js';
import type { Reader } from '../../store/reader.js';
import { GraphManager } from './graph-access.js';
import { GraphValidator } from './graph-validator.js';
import {
  type EdgeFilter,
  type EdgeIdentifier,
  libraryEdgeSpec,
  type MemoryMeshEdge,
  type MemoryMeshEdgeUpdate,
  toEngineEdgeUpdate,
  toLibraryEdge,
} from './memorymesh-shapes.js';

/** Each call is all or nothing. */
export class EdgeManager extends GraphManager {
  /** Rejects all if an end is unknown, or an edge exists or occurs twice. */
  async addEdges(edges: readonly MemoryMeshEdge[]): Promise<void> {
    edges.forEach(GraphValidator.validateEdgeProperties);
    await this.graph.write('addEdges', { edges }, (tx) => createEdgesStrict(tx, edges.map(libraryEdgeSpec)));
  }

  /** Averages weights, moves edges. Rejects all if an edge is unknown. */
  updateEdges(edges: readonly MemoryMeshEdgeUpdate[]): Promise<void> {
    return this.graph.write('updateEdges', { edges }, (tx) => updateEdges(tx, edges.map(toEngineEdgeUpdate)));
  }

  /** Removes edges that match in all three fields; skips unknown ones. */
  deleteEdges(edges: readonly EdgeIdentifier[]): Promise<void> {
    return this.graph.write('deleteEdges', { edges }, (tx) => deleteEdges(tx, edges.map(libraryEdgeSpec)));
  }

  /** In creation order. */
  getEdges(filter: EdgeFilter = {}): Promise<MemoryMeshEdge[]> {
    return this.graph.read(async (reader) => {
      const candidates = await candidatesOf(reader, filter);
      const stubs = new Set((await reader.stubs()).map(({ id }) => id));
      return candidates
        .filter(({ from, to }) => !stubs.has(from) && !stubs.has(to))
        .map(toLibraryEdge)
        .filter((edge) => matches(edge, filter));
    });
  }
}

function candidatesOf(reader: Reader, { from, to }: EdgeFilter) {
  const end = from ?? to;
  return end === undefined ? reader.edges() : reader.edgesNamed([end]);
}

function matches(
  edge: MemoryMeshEdge,
  { from = edge.from, to = edge.to, edgeType = edge.edgeType }: EdgeFilter,
): boolean {
  return edge.from === from && edge.to === to && edge.edgeType === edgeType;
}
