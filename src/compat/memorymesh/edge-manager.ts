import { createEdgesStrict } from '../../engine/write/create-edges-strict.js';
import { deleteEdges } from '../../engine/write/delete-edges.js';
import { updateEdges } from '../../engine/write/update-edges.js';
import type { Reader } from '../../store/reader.js';
import { GraphManager } from './graph-manager.js';
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

/** Edges (seed 4.3). Each call is all or nothing. */
export class EdgeManager extends GraphManager {
  /** Adds edges between nodes that exist; one that is there, or comes twice, refuses all. */
  async addEdges(edges: readonly MemoryMeshEdge[]): Promise<void> {
    edges.forEach(GraphValidator.validateEdgeProperties);
    await this.graph.announced('AddEdges', {
      before: { edges },
      work: () => this.graph.write('addEdges', (tx) => createEdgesStrict(tx, edges.map(libraryEdgeSpec))),
      after: () => ({ edges }),
    });
  }

  /** Averages weights, moves edges; an unknown edge refuses all. */
  async updateEdges(updates: readonly MemoryMeshEdgeUpdate[]): Promise<void> {
    await this.graph.announced('UpdateEdges', {
      before: { edges: updates },
      work: () => this.graph.write('updateEdges', (tx) => updateEdges(tx, updates.map(toEngineEdgeUpdate))),
      after: () => ({ edges: updates }),
    });
  }

  /** Removes edges that match in all three fields; unknown ones are passed over. */
  async deleteEdges(identifiers: readonly EdgeIdentifier[]): Promise<void> {
    await this.graph.announced('DeleteEdges', {
      before: { edges: identifiers },
      work: () => this.graph.write('deleteEdges', (tx) => deleteEdges(tx, identifiers.map(libraryEdgeSpec))),
      after: () => ({ edges: identifiers }),
    });
  }

  /** The edges that match in every field given, in creation order. */
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

/** An end that is named is looked up; only without one are all edges read. */
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
