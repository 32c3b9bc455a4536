import { openNodes } from '../../engine/read/open-nodes.js';
import { keepEdgesBetweenMatches } from '../../engine/read/page-edges.js';
import { readGraph } from '../../engine/read/read-graph.js';
import { searchSubstring } from '../../engine/read/search-substring.js';
import { withNeighbours } from '../../engine/read/with-neighbours.js';
import type { Subgraph } from '../../engine/specs.js';
import type { Reader } from '../../store/reader.js';
import { GraphManager } from './graph-manager.js';
import { type MemoryMeshGraph, toLibraryGraph } from './memorymesh-shapes.js';

/** Reads (seed 4.5); what is found brings its immediate neighbours along. */
export class SearchManager extends GraphManager {
  readGraph(): Promise<MemoryMeshGraph> {
    return this.#announced('ReadGraph', {}, async (reader) =>
      keepEdgesBetweenMatches(reader, await readGraph(reader)),
    );
  }

  /** Nodes with the query in their name, kind or metadata, case ignored. */
  searchNodes(query: string): Promise<MemoryMeshGraph> {
    return this.#announced('Search', { query }, async (reader) =>
      withNeighbours(reader, await searchSubstring(reader, query)),
    );
  }

  /** Nodes by exact name. */
  openNodes(names: readonly string[]): Promise<MemoryMeshGraph> {
    return this.#announced('OpenNodes', { names }, async (reader) =>
      withNeighbours(reader, await openNodes(reader, names)),
    );
  }

  #announced(
    event: string,
    before: object,
    work: (reader: Reader) => Promise<Subgraph>,
  ): Promise<MemoryMeshGraph> {
    const read = async () => toLibraryGraph(await this.graph.read(work));
    return this.graph.announced(event, { before, work: read, after: (results) => ({ results }) }, true);
  }
}
