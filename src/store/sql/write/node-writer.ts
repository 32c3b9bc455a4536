import { writeChunkSize, writeInChunks } from '../../../bounds/chunks.js';
import type { Node, NodeId } from '../../../model/node.js';
import type { KnownRows, NodeDraft } from '../../drafts.js';
import { insertNodeProperties, recordProperties } from '../properties/node-properties.js';
import { type IndexedProperty, indexNodes, listIndexedProperties } from '../properties/property-index.js';
import type { VisibleRows } from '../visible-rows.js';
import { countPutNodes, type NodeCounts } from './count-put-nodes.js';
import { retireNodes, retireRows } from './retire-rows.js';
import { appendColumns, nodeRowColumns, nodeRowValues } from './row-values.js';
import { StagedNodeRows } from './staged-node-rows.js';
import type { WriteParts } from './write-parts.js';

/** Puts nodes, as a part of one write. */
export class NodeWriter {
  readonly #all: VisibleRows;
  readonly #parts: WriteParts;
  #indexes: Promise<IndexedProperty[]> | undefined;
  /** The last row that was inserted, where the database numbers rows one after the other; undefined if it was not asked. */
  #lastRow: number | undefined;

  constructor(all: VisibleRows, parts: WriteParts) {
    this.#all = all;
    this.#parts = parts;
  }

  async put(given: readonly NodeDraft[], known?: KnownRows): Promise<void> {
    if (given.length === 0) return;
    if (known?.staged !== undefined) return this.#putStaged(given, known);
    if (given.length > writeChunkSize) return writeInChunks(given, (some) => this.put(some, known));
    const { write, touches, registry, schema, rowless } = this.#parts;
    const { executor, dialect, graphContext } = this.#all;
    const stamp = await write.stamp();
    const { seq, branch } = stamp;
    // A node that this write has just created has no rows to replace.
    const older = given.filter(({ id }) => !rowless.delete(id)).map(({ id }) => id);
    const shown = known === undefined ? older : older.filter((id) => known.current(id) !== undefined);
    const current = this.#currentNodes(shown, known);
    const unread = current === undefined ? shown : [];
    // Most writes have no properties, and need not ask; a schema may derive some from a name.
    const hasProps = schema.validator !== undefined || given.some(({ props }) => props !== undefined);
    const [read, indexes] =
      unread.length === 0 && !hasProps
        ? [[], []]
        : await Promise.all([this.#all.nodesById(unread), hasProps ? this.#indexedProperties() : []]);
    const before: readonly Node[] = current ?? read;
    registry.check(before);
    registry.check(given);
    const drafts = schema.validator?.prepareNodes(given, before) ?? given;
    retireRows(this.#all, 'node_row', read, seq);
    if (current !== undefined) retireNodes(this.#all, 'node_row', current, seq);
    touches.addNodes(drafts.map(({ id }) => id));
    this.#count(countPutNodes(drafts, before));
    executor.insert(
      'node_row',
      appendColumns(nodeRowColumns, dialect.documentColumns),
      drafts.map((draft) =>
        nodeRowValues(dialect, stamp, draft, draft.order ?? write.nextOrder(seq, draft.position)),
      ),
    );
    const rows = await this.#insertedRows(drafts.length, indexes.length > 0);
    if (!hasProps) return;
    recordProperties(graphContext, drafts, before, known);
    indexNodes(graphContext, branch, indexes, drafts, rows);
  }

  /** Asked once: nobody else inserts nodes meanwhile. */
  async #insertedRows(count: number, areNeeded: boolean): Promise<readonly number[] | undefined> {
    const { executor, dialect } = this.#all;
    const before = this.#lastRow;
    const rows =
      before !== undefined
        ? Array.from({ length: count }, (_, index) => before + 1 + index)
        : areNeeded
          ? await dialect.insertedRows(executor, count)
          : undefined;
    this.#lastRow = rows?.at(-1);
    return rows;
  }

  /** Which properties are indexed has changed. */
  forgetIndexes(): void {
    this.#indexes = undefined;
  }

  async #putStaged(given: readonly NodeDraft[], { staged, ...known }: KnownRows): Promise<void> {
    const { write, touches, registry, schema } = this.#parts;
    const { executor, graphContext } = this.#all;
    const { graph, branch, seq } = await write.stamp();
    const place = { graph, branch, schema: await write.schema(), indexes: await this.#indexedProperties() };
    if (!(staged instanceof StagedNodeRows && staged.fits(executor, place))) return this.put(given, known);
    const { before, drafts, validated, counts, properties, others } = staged.content;
    const replaced = staged.replaceRows(seq);
    // Meanwhile: a refusal undoes the whole write.
    const checked = (async () => {
      registry.check(before);
      registry.check(drafts);
      await writeInChunks(validated, (some) => schema.validator?.nodesPut(some));
    })();
    await Promise.all([replaced, checked]);
    this.#count(counts);
    await writeInChunks(drafts, (some) => touches.addNodes(some.map(({ id }) => id)));
    await writeInChunks(properties, (some) => insertNodeProperties(graphContext, some));
    this.#lastRow = undefined;
    await this.put(others, known);
  }

  #count({ nodesCreated, nodesUpdated }: NodeCounts): void {
    this.#parts.counts.nodesCreated += nodesCreated;
    this.#parts.counts.nodesUpdated += nodesUpdated;
  }

  /** Undefined if they have to be read: rows of a branch that inherits may be its parent's. */
  #currentNodes(ids: readonly NodeId[], known: KnownRows | undefined): Node[] | undefined {
    if (known === undefined || this.#all.lineage.levels.length > 1) return undefined;
    return ids.flatMap((id) => known.current(id) ?? []);
  }

  #indexedProperties(): Promise<IndexedProperty[]> {
    this.#indexes ??= listIndexedProperties(this.#all.executor, this.#all.lineage.graph);
    return this.#indexes;
  }
}
