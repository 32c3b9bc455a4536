import { chunksOf, lookUpAhead, writeChunkSize } from '../../../bounds/chunks.js';
import { TimeSlice } from '../../../bounds/time-slice.js';
import type { Edge } from '../../../model/edge.js';
import type { Node, NodeId } from '../../../model/node.js';
import type { KnownRows } from '../../drafts.js';
import type { VisibleRows } from '../visible-rows.js';
import type { EdgeWriter } from './edge-writer.js';
import { inheritsNothing, retireNodes, retireRows } from './retire-rows.js';
import type { WriteParts } from './write-parts.js';

/** Removes nodes with their observations and edges, as a part of one write. */
export class NodeRemover {
  readonly #all: VisibleRows;
  readonly #parts: WriteParts;
  readonly #edges: EdgeWriter;

  constructor(all: VisibleRows, parts: WriteParts, edges: EdgeWriter) {
    this.#all = all;
    this.#parts = parts;
    this.#edges = edges;
  }

  /**
   * @param known See `RowWriter.removeNodes`; undefined also if the caller does not see all edges.
   * @returns The removed edges.
   */
  async remove(ids: readonly NodeId[], known?: KnownRows): Promise<Edge[]> {
    if (known !== undefined && inheritsNothing(this.#all)) {
      await this.#removeKnown(ids, known);
      return [];
    }
    const removed: Edge[] = [];
    const lookUp = (some: readonly NodeId[]) =>
      Promise.all([this.#all.nodesById(some), this.#all.observationsOf(some)]);
    const slice = new TimeSlice();
    for await (const [, [nodes, observations]] of lookUpAhead(
      chunksOf(unique(ids), writeChunkSize),
      lookUp,
    )) {
      if (slice.isOver) await slice.yieldToOthers();
      if (nodes.length === 0) continue;
      this.#parts.registry.check(nodes);
      const edges = await this.#all.edgesOf(nodes.map(({ id }) => id));
      await this.#edges.removeRows(edges);
      const { seq } = await this.#parts.write.stamp();
      retireRows(this.#all, 'observation_row', observations, seq);
      retireRows(this.#all, 'node_row', nodes, seq);
      this.#record(nodes, observations.length);
      for (const edge of edges) removed.push(edge);
    }
    return removed;
  }

  async #removeKnown(ids: readonly NodeId[], known: KnownRows): Promise<void> {
    const slice = new TimeSlice();
    for (const some of chunksOf(ids, writeChunkSize)) {
      if (slice.isOver) await slice.yieldToOthers();
      const nodes = some.flatMap((id) => known.current(id) ?? []);
      this.#parts.registry.check(nodes);
      const { seq } = await this.#parts.write.stamp();
      const observations = some.reduce((sum, id) => sum + known.observationCount(id), 0);
      if (observations > 0) retireNodes(this.#all, 'observation_row', nodes, seq);
      retireNodes(this.#all, 'node_row', nodes, seq);
      this.#record(nodes, observations);
    }
  }

  #record(nodes: readonly Node[], observations: number): void {
    const { counts, touches, schema } = this.#parts;
    const ids = nodes.map(({ id }) => id);
    counts.observationsDeleted += observations;
    counts.nodesDeleted += nodes.filter(({ stub }) => !stub).length;
    touches.addNodes(ids);
    schema.validator?.nodesRemoved(ids);
  }
}

/** What is looked up ahead would be found, and removed, twice. */
function unique<T>(items: readonly T[]): readonly T[] {
  return items.length <= writeChunkSize ? items : [...new Set(items)];
}
