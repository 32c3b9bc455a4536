import { writeChunkSize, writeInChunks } from '../../../bounds/chunks.js';
import type { Node, NodeId } from '../../../model/node.js';
import type { KnownNodes, NodeDraft } from '../../drafts.js';
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

  constructor(all: VisibleRows, parts: WriteParts) {
    this.#all = all;
    this.#parts = parts;
  }

  async put(given: readonly NodeDraft[], known?: KnownNodes): Promise<void> {
    if (given.length === 0) return;
    if (known?.staged !== undefined) return this.#putStaged(given, known);
    if (given.length > writeChunkSize) return writeInChunks(given, (some) => this.put(some, known));
    const { write, touches, registry, schema, rowless } = this.#parts;
    const { executor, dialect, graphContext } = this.#all;
    const stamp = await write.stamp();
    const { seq, branch } = stamp;
    // A node that this write has just created has no rows to replace.
    const older = given.filter(({ id }) => !rowless.delete(id)).map(({ id }) => id);
    const current = this.#currentNodes(older, known);
    const unread = current.length === 0 ? older : withoutNodes(older, current);
    // Most writes have no properties, and need not ask; a schema may derive some from a name.
    const hasProps = schema.validator !== undefined || given.some(({ props }) => props !== undefined);
    const [read, indexes] =
      unread.length === 0 && !hasProps
        ? [[], []]
        : await Promise.all([this.#all.nodesById(unread), hasProps ? this.#indexedProperties() : []]);
    const before: readonly Node[] = current.length === 0 ? read : [...read, ...current];
    registry.check(before);
    registry.check(given);
    const drafts = schema.validator?.prepareNodes(given, before) ?? given;
    retireRows(this.#all, 'node_row', read, seq);
    retireNodes(this.#all, current, seq);
    touches.addNodes(drafts.map(({ id }) => id));
    this.#count(countPutNodes(drafts, before));
    executor.insert(
      'node_row',
      appendColumns(nodeRowColumns, dialect.documentColumns),
      drafts.map((draft) =>
        nodeRowValues(dialect, stamp, draft, draft.order ?? write.nextOrder(seq, draft.position)),
      ),
    );
    if (!hasProps) return;
    const rows = indexes.length === 0 ? undefined : await dialect.insertedRows(executor, drafts.length);
    recordProperties(graphContext, drafts, before, known);
    indexNodes(graphContext, branch, indexes, drafts, rows);
  }

  /** Which properties are indexed has changed. */
  forgetIndexes(): void {
    this.#indexes = undefined;
  }

  async #putStaged(given: readonly NodeDraft[], { staged, ...known }: KnownNodes): Promise<void> {
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
    await this.put(others, known);
  }

  #count({ nodesCreated, nodesUpdated }: NodeCounts): void {
    this.#parts.counts.nodesCreated += nodesCreated;
    this.#parts.counts.nodesUpdated += nodesUpdated;
  }

  /** Without the nodes of branches that inherit: their versions may be rows of a parent, which only reading tells. */
  #currentNodes(ids: readonly NodeId[], known: KnownNodes | undefined): Node[] {
    if (known === undefined || this.#all.lineage.levels.length > 1) return [];
    return ids.flatMap((id) => known.current(id) ?? []);
  }

  #indexedProperties(): Promise<IndexedProperty[]> {
    this.#indexes ??= listIndexedProperties(this.#all.executor, this.#all.lineage.graph);
    return this.#indexes;
  }
}

function withoutNodes(ids: readonly NodeId[], nodes: readonly Node[]): NodeId[] {
  const known = new Set(nodes.map(({ id }) => id));
  return ids.filter((id) => !known.has(id));
}
