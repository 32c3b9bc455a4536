import { openNodes } from '../../engine/read/open-nodes.js';
import { keepEdgesBetweenMatches } from '../../engine/read/page-edges.js';
import { readGraph } from '../../engine/read/read-graph.js';
import { searchSubstring } from '../../engine/read/search-substring.js';
import { withNeighbours } from '../../engine/read/with-neighbours.js';
import type { Subgraph } from '../../engine/specs.js';
import type { Reader } from '../../store/reader.js';
import { GraphManager } from './graph-access.js';
import { type MemoryMeshGraph, toLibraryGraph } from './memorymesh-shapes.js';

/** Finds nodes together with their immediate neighbours. */
export class SearchManager extends GraphManager {
  readGraph(): Promise<MemoryMeshGraph> {
    return this.#announced('ReadGraph', {}, async (reader) =>
      keepEdgesBetweenMatches(reader, await readGraph(reader)),
    );
  }

  /** Nodes with the query in their name, type or metadata, ignoring case. */
  searchNodes(query: string): Promise<MemoryMeshGraph> {
    return this.#announced('Search', { query }, async (reader) =>
      withNeighbours(reader, await searchSubstring(reader, query)),
    );
  }

  openNodes(names: readonly string[]): Promise<MemoryMeshGraph> {
    return this.#announced('OpenNodes', { names }, async (reader) =>
      withNeighbours(reader, await openNodes(reader, names)),
    );
  }

  async #announced(
    event: string,
    data: object,
    work: (reader: Reader) => Promise<Subgraph>,
  ): Promise<MemoryMeshGraph> {
    await this.graph.events.emitAndWait(`before${event}`, data);
    const results = toLibraryGraph(await this.graph.read(work));
    this.graph.emitAfter(`after${event}`, { results });
    return results;
  }
}
