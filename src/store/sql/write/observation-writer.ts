import { putInChunks, writeChunkSize, writeInChunks } from '../../../bounds/chunks.js';
import type { NodeId, Observation } from '../../../model/node.js';
import type { KnownRows, ObservationDraft } from '../../drafts.js';
import { readNumber } from '../rows.js';
import type { VisibleRows } from '../visible-rows.js';
import { inheritsNothing, retireAt, retireRows } from './retire-rows.js';
import { appendColumns, observationRowColumns, observationRowValues } from './row-values.js';
import type { WriteParts } from './write-parts.js';

interface ObservationPlace {
  readonly node: NodeId;
  readonly ordinal: number;
}

const placeColumns = { node: 'integer', ordinal: 'integer' } as const;

/** Puts and removes observations, as a part of one write. */
export class ObservationWriter {
  readonly #all: VisibleRows;
  readonly #parts: WriteParts;

  constructor(all: VisibleRows, parts: WriteParts) {
    this.#all = all;
    this.#parts = parts;
  }

  async put(drafts: readonly ObservationDraft[], known?: KnownRows): Promise<Observation[]> {
    if (drafts.length === 0) return [];
    if (drafts.length > writeChunkSize) return putInChunks(drafts, (some) => this.put(some, known));
    const { write, counts, touches, ordinals, registry, made } = this.#parts;
    const { executor, dialect } = this.#all;
    // What this write created was checked when it was put.
    await registry.checkObserved(drafts.filter(({ node }) => !made.has(node)));
    const stamp = await write.stamp();
    const placed = drafts.filter(
      (draft) => draft.ordinal !== undefined && known?.hasObservation(draft) !== false,
    );
    const replaced = placed.length === 0 ? [] : await this.#all.observationsAt(placed);
    retireRows(this.#all, 'observation_row', replaced, stamp.seq);
    counts.observationsUpdated += replaced.length;
    counts.observationsAdded += drafts.length - replaced.length;
    const taken = placedOrdinals(drafts, known) ?? (await ordinals.take(this.#all, drafts));
    const observations = drafts.map(({ node, text: content, provenance, createdAt }, index) => ({
      node,
      ordinal: taken[index] as number,
      text: content,
      provenance: provenance ?? null,
      createdAt: createdAt ?? stamp.now,
    }));
    executor.insert(
      'observation_row',
      appendColumns(observationRowColumns, dialect.documentColumns),
      observations.map((observation) => observationRowValues(dialect, stamp, observation)),
    );
    touches.addNodes(drafts.map(({ node }) => node));
    return observations;
  }

  /** @param known See `RowWriter.removeObservations`. */
  async remove(places: readonly ObservationPlace[], known?: KnownRows): Promise<void> {
    if (places.length === 0) return;
    if (places.length > writeChunkSize) return writeInChunks(places, (some) => this.remove(some, known));
    const { counts, touches, registry } = this.#parts;
    await registry.checkObserved(places);
    const areKnown = known !== undefined && inheritsNothing(this.#all);
    const nodes = await (areKnown ? this.#retireKnown(places) : this.#retire(places));
    counts.observationsDeleted += nodes.length;
    touches.addNodes(nodes);
  }

  async #retire(places: readonly ObservationPlace[]): Promise<NodeId[]> {
    const rows = await this.#all.observationsAt(places);
    if (rows.length > 0)
      retireRows(this.#all, 'observation_row', rows, (await this.#parts.write.stamp()).seq);
    return rows.map(({ node }) => node);
  }

  async #retireKnown(places: readonly ObservationPlace[]): Promise<NodeId[]> {
    const { seq } = await this.#parts.write.stamp();
    const keys = places.map(({ node, ordinal }) => [node, ordinal]);
    const rows = await retireAt(this.#all, 'observation_row', placeColumns, keys, seq);
    return rows.map((row) => readNumber(row, 'node'));
  }
}

/** A version that is known was stored once, so the counter of its node has passed its ordinal. */
function placedOrdinals(
  drafts: readonly ObservationDraft[],
  known: KnownRows | undefined,
): number[] | undefined {
  if (known === undefined) return undefined;
  const placed = drafts.flatMap(({ ordinal }) => ordinal ?? []);
  return placed.length === drafts.length ? placed : undefined;
}
