import { chunksOf, lookUpAhead, writeChunkSize, writeInChunks } from '../../../bounds/chunks.js';
import { TimeSlice } from '../../../bounds/time-slice.js';
import { filterYielding } from '../../../bounds/yielding-loops.js';
import { type EdgeIdentity, edgeKey } from '../../../model/edge.js';
import type { NodeId } from '../../../model/node.js';
import type { EdgeDraft, KnownRows } from '../../drafts.js';
import type { RemovedEdge } from '../commits/touch-log.js';
import { type EdgeRow, readEdgeIdentity, readNumber } from '../rows.js';
import type { VisibleRows } from '../visible-rows.js';
import { inheritsNothing, retireAt, retireRows } from './retire-rows.js';
import { edgeRowColumns, edgeRowValues } from './row-values.js';
import type { WriteParts } from './write-parts.js';

const identityColumns = { from_node: 'integer', to_node: 'integer', type: 'text', key: 'text' } as const;

/** Puts and removes edges, as a part of one write. */
export class EdgeWriter {
  readonly #all: VisibleRows;
  readonly #parts: WriteParts;

  constructor(all: VisibleRows, parts: WriteParts) {
    this.#all = all;
    this.#parts = parts;
  }

  async put(given: readonly EdgeDraft[], known?: KnownRows): Promise<void> {
    if (given.length === 0) return;
    if (given.length > writeChunkSize) return writeInChunks(given, (some) => this.put(some, known));
    const { write, counts, touches, schema } = this.#parts;
    const { validator } = schema;
    if (validator !== undefined && known !== undefined) validator.nodesKnown(typesOfEnds(given, known));
    const drafts = validator?.prepareEdges(given) ?? given;
    const stamp = await write.stamp();
    const { seq } = stamp;
    // A schema may give an edge another key, of which the caller does not know, nor of what this write has put before.
    const mayBeThere = (draft: EdgeDraft, index: number) =>
      this.mayBeThere(draft) &&
      (draft.key !== given[index]?.key || known?.hasEdge(draft) !== false || touches.touched.hasEdge(draft));
    const before = await this.#all.edgesByIdentity(drafts.filter(mayBeThere));
    retireRows(this.#all, 'edge_row', before, seq);
    counts.edgesUpdated += before.length;
    counts.edgesCreated += drafts.length - before.length;
    this.#all.executor.insert(
      'edge_row',
      edgeRowColumns,
      drafts.map((draft) => {
        const order = draft.order ?? write.nextOrder(seq, draft.position);
        touches.addEdge(draft, order.seq === seq);
        return edgeRowValues(stamp, draft, order);
      }),
    );
  }

  /** @param known See `RowWriter.removeEdges`. */
  async remove(identities: readonly EdgeIdentity[], known?: KnownRows): Promise<void> {
    const chunks = chunksOf(await uniqueEdges(identities), writeChunkSize);
    const areKnown = known !== undefined && inheritsNothing(this.#all);
    const retire = async (some: readonly EdgeIdentity[]) =>
      areKnown ? this.#retireKnown(some) : this.#retire(await this.byIdentity(some));
    const slice = new TimeSlice();
    for await (const [, edges] of lookUpAhead(chunks, retire)) {
      if (slice.isOver) await slice.yieldToOthers();
      this.#recordRemoved(edges);
    }
  }

  async removeRows(edges: readonly EdgeRow[]): Promise<void> {
    this.#recordRemoved(await this.#retire(edges));
  }

  async #retire(edges: readonly EdgeRow[]): Promise<readonly EdgeRow[]> {
    if (edges.length > 0) retireRows(this.#all, 'edge_row', edges, (await this.#parts.write.stamp()).seq);
    return edges;
  }

  async #retireKnown(identities: readonly EdgeIdentity[]): Promise<RemovedEdge[]> {
    const { seq } = await this.#parts.write.stamp();
    const keys = identities.map(({ from, to, type, key }) => [from, to, type, key]);
    const rows = await retireAt(this.#all, 'edge_row', identityColumns, keys, seq);
    return rows.map((row) => ({ ...readEdgeIdentity(row), row: readNumber(row, 'row') }));
  }

  #recordRemoved(edges: readonly RemovedEdge[]): void {
    const { counts, touches, schema } = this.#parts;
    counts.edgesDeleted += edges.length;
    for (const edge of edges) touches.addRemovedEdge(edge);
    schema.validator?.edgesRemoved(edges);
  }

  byIdentity(identities: readonly EdgeIdentity[]): Promise<EdgeRow[]> {
    return this.#all.edgesByIdentity(
      this.#parts.made.size === 0 ? identities : identities.filter((edge) => this.mayBeThere(edge)),
    );
  }

  /** An edge of a new node can only exist if this write has put it: most of a large batch need no look-up. */
  mayBeThere(edge: EdgeIdentity): boolean {
    const { made, touches } = this.#parts;
    return !(made.has(edge.from) || made.has(edge.to)) || touches.touched.hasEdge(edge);
  }
}

function* typesOfEnds(edges: readonly EdgeDraft[], known: KnownRows): Iterable<readonly [NodeId, string]> {
  for (const { from, to } of edges) {
    for (const id of [from, to]) {
      const type = known.typeOfEnd(id);
      if (type !== undefined) yield [id, type];
    }
  }
}

/** What is looked up ahead would be found, and removed, twice. */
async function uniqueEdges(edges: readonly EdgeIdentity[]): Promise<readonly EdgeIdentity[]> {
  if (edges.length <= writeChunkSize) return edges;
  const seen = new Set<string>();
  return filterYielding(edges, (edge) => seen.size < seen.add(edgeKey(edge)).size);
}
