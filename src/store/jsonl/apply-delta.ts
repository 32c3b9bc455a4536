import { type Edge, type EdgeIdentity, edgeKey } from '../../model/edge.js';
import { TrellisError } from '../../model/error.js';
import { groupEntries } from '../../model/group-entries.js';
import { type Node, type NodeId, stubType } from '../../model/node.js';
import type { Order } from '../../model/order.js';
import { retainProvenance } from '../../model/provenance.js';
import type { EdgeDraft, NodeDraft, ObservationDraft } from '../drafts.js';
import type { Writer } from '../writer.js';
import type { ChangedRecord, GraphDelta } from './diff-file-lines.js';
import type { EdgeContent, NodeLineRecord } from './lines/line-record.js';
import { observationChanges } from './observation-changes.js';

/** Makes the graph say what the file says. Returns the ids of the nodes and stubs concerned, by name. */
export async function applyDelta(rows: Writer, delta: GraphDelta): Promise<Map<string, NodeId>> {
  const application = new DeltaApplier(rows, await nodesByName(rows, delta));
  await application.removeEdges(delta.removedEdges);
  await application.removeNodes(delta.removedNodes, delta.edges);
  await application.putNodes(delta.nodes);
  await application.putEdges(delta.edges);
  await application.removeIdleStubs(delta.removedEdges);
  return application.ids;
}

async function nodesByName(rows: Writer, delta: GraphDelta): Promise<Map<string, Node>> {
  const names = new Set(delta.removedNodes);
  for (const { record } of delta.nodes) names.add(record.name);
  for (const edge of [...delta.removedEdges, ...delta.edges.map(({ record }) => record)]) {
    names.add(edge.from).add(edge.to);
  }
  return new Map((await rows.nodesNamed([...names])).map((node) => [node.name, node]));
}

class DeltaApplier {
  readonly ids = new Map<string, NodeId>();
  readonly #rows: Writer;
  readonly #before: ReadonlyMap<string, Node>;
  readonly #live: Set<string>;

  constructor(rows: Writer, before: ReadonlyMap<string, Node>) {
    this.#rows = rows;
    this.#before = before;
    this.#live = new Set(before.keys());
    for (const [name, node] of before) this.ids.set(name, node.id);
  }

  async removeEdges(edges: readonly EdgeContent[]): Promise<void> {
    await this.#rows.removeEdges(edges.flatMap((edge) => this.#identity(edge) ?? []));
  }

  /** A node whose line is gone lives on as a stub if edges still name it. */
  async removeNodes(
    names: readonly string[],
    comingEdges: readonly ChangedRecord<EdgeContent>[],
  ): Promise<void> {
    const nodes = names.flatMap((name) => this.#before.get(name) ?? []);
    if (nodes.length === 0) return;
    const ids = nodes.map((node) => node.id);
    const named = new Set((await this.#rows.edgesOf(ids)).flatMap((edge) => [edge.fromName, edge.toName]));
    for (const { record } of comingEdges) named.add(record.from).add(record.to);
    const stubs = nodes.filter((node) => named.has(node.name));
    await this.#rows.removeObservations(await this.#rows.observationsOf(stubs.map((node) => node.id)));
    await this.#rows.putNodes(stubs.map(({ id, name }) => ({ id, name, type: stubType, stub: true })));
    const gone = nodes.filter((node) => !named.has(node.name));
    await this.#rows.removeNodes(gone.map((node) => node.id));
    for (const node of gone) this.#live.delete(node.name);
  }

  async putNodes(puts: readonly ChangedRecord<NodeLineRecord>[]): Promise<void> {
    await this.#identify(puts.map(({ record }) => record));
    const drafts: NodeDraft[] = [];
    for (const { record, append } of puts) {
      const id = this.#idOf(record.name);
      const before = this.#before.get(record.name);
      const same = before !== undefined && before.id === id && !before.stub ? before : undefined;
      // A line that is not moved keeps its order, even if it now describes another node of that name.
      const order = before === undefined || before.stub || append ? undefined : before.order;
      if (same === undefined || append || !hasSameContent(record, same))
        drafts.push(this.#draft(record, id, same, order));
      this.#live.add(record.name);
    }
    const orphans = await this.#replaceNodes(puts.map(({ record }) => record.name));
    await this.#rows.putNodes(drafts);
    await this.#rows.putEdges(orphans);
    await this.#putObservations(puts.map(({ record }) => record));
  }

  /** The node each (type, name) has always meant; a new pair takes over the node that has the name now. */
  async #identify(records: readonly NodeLineRecord[]): Promise<void> {
    const pair = (type: string, name: string) => JSON.stringify([name, type]);
    const known = new Map<string, NodeId>();
    for (const identity of await this.#rows.identitiesNamed(records.map(({ name }) => name))) {
      known.set(pair(identity.type, identity.name), identity.node);
    }
    const missing = records.filter(({ type, name }) => !known.has(pair(type, name)));
    const added = await this.#rows.addIdentities(
      missing.map(({ type, name }) => {
        const node = this.#before.get(name)?.id;
        return node === undefined ? { type, name } : { type, name, node };
      }),
    );
    for (const identity of added) known.set(pair(identity.type, identity.name), identity.node);
    for (const { type, name } of records)
      this.ids.set(name, known.get(pair(type, name)) ?? throwMissingNode(name));
  }

  #draft(record: NodeLineRecord, id: NodeId, before: Node | undefined, order: Order | undefined): NodeDraft {
    const { name, type, summary, tags, props } = record;
    const now = this.#rows.now;
    const summaryUpdatedAt =
      summary === null ? null : summary === before?.summary ? before.summaryUpdatedAt : now;
    return {
      ...{ id, name, type, summary, summaryUpdatedAt, tags, props },
      provenance: before === undefined ? null : retainProvenance(before, props),
      ...(before === undefined ? {} : { createdAt: before.createdAt }),
      ...(order === undefined ? {} : { order }),
    };
  }

  /** Removes nodes whose name now means another node; returns their edges, which that one gets. */
  async #replaceNodes(names: readonly string[]): Promise<EdgeDraft[]> {
    const replaced = names.flatMap((name) => {
      const before = this.#before.get(name);
      return before !== undefined && before.id !== this.ids.get(name) ? [before.id] : [];
    });
    if (replaced.length === 0) return [];
    const edges = await this.#rows.removeNodes(replaced);
    return edges.map((edge) => ({
      ...edge,
      from: this.ids.get(edge.fromName) ?? edge.from,
      to: this.ids.get(edge.toName) ?? edge.to,
    }));
  }

  /** Observations that stay keep their ordinals. */
  async #putObservations(records: readonly NodeLineRecord[]): Promise<void> {
    // New nodes have none: asking for thousands of them would slow down loading.
    const ids = records.flatMap(({ name }) => (this.#before.has(name) ? [this.#idOf(name)] : []));
    const observations = await this.#rows.observationsOf(ids);
    const before = groupEntries(observations.map((observation) => [observation.node, observation]));
    const drafts: ObservationDraft[] = [];
    const removed: { node: NodeId; ordinal: number }[] = [];
    for (const { name, observations: texts } of records) {
      const node = this.#idOf(name);
      const changes = observationChanges(before.get(node) ?? [], texts);
      for (const observation of changes.removed) removed.push(observation);
      for (const text of changes.added) drafts.push({ node, text });
    }
    await this.#rows.removeObservations(removed);
    await this.#rows.putObservations(drafts);
  }

  async putEdges(puts: readonly ChangedRecord<EdgeContent>[]): Promise<void> {
    await this.#addStubs(puts.flatMap(({ record }) => [record.from, record.to]));
    const staying = puts.filter(({ append }) => !append).map(({ record }) => this.#edgeDraft(record));
    const before = new Map<string, Edge>();
    for (const edge of await this.#rows.edgesByIdentity(staying)) before.set(edgeKey(edge), edge);
    await this.#rows.putEdges(
      puts.map(({ record, append }) => {
        const draft = this.#edgeDraft(record);
        const edge = before.get(edgeKey(draft));
        if (edge === undefined || append) return draft;
        return {
          ...draft,
          ...{ order: edge.order, createdAt: edge.createdAt },
          provenance: retainProvenance(edge, record.props),
        };
      }),
    );
  }

  /** Names that no line describes become stubs of the nodes that last had them. */
  async #addStubs(ends: readonly string[]): Promise<void> {
    const names = [...new Set(ends)].filter((name) => !this.#live.has(name));
    if (names.length === 0) return;
    for (const { name, node } of await this.#rows.identitiesNamed(names)) this.ids.set(name, node);
    const unknown = names.filter((name) => !this.ids.has(name));
    const added = await this.#rows.addIdentities(unknown.map((name) => ({ type: stubType, name })));
    for (const { name, node } of added) this.ids.set(name, node);
    await this.#rows.putNodes(
      names.map((name) => ({ id: this.#idOf(name), name, type: stubType, stub: true })),
    );
  }

  async removeIdleStubs(removed: readonly EdgeContent[]): Promise<void> {
    const ends = removed.flatMap(({ from, to }) => [this.ids.get(from) ?? [], this.ids.get(to) ?? []]).flat();
    if (ends.length === 0) return;
    const stubs = (await this.#rows.nodesById([...new Set(ends)]))
      .filter((node) => node.stub)
      .map(({ id }) => id);
    const busy = new Set((await this.#rows.edgesOf(stubs)).flatMap((edge) => [edge.from, edge.to]));
    await this.#rows.removeNodes(stubs.filter((id) => !busy.has(id)));
  }

  #edgeDraft({ from, to, type, key, weight, props }: EdgeContent): EdgeDraft {
    const ids = { from: this.#idOf(from), to: this.#idOf(to) };
    return { ...ids, fromName: from, toName: to, type, key, weight, props };
  }

  #identity({ from, to, type, key }: EdgeContent): EdgeIdentity | undefined {
    const fromId = this.ids.get(from);
    const toId = this.ids.get(to);
    return fromId === undefined || toId === undefined ? undefined : { from: fromId, to: toId, type, key };
  }

  #idOf(name: string): NodeId {
    return this.ids.get(name) ?? throwMissingNode(name);
  }
}

function hasSameContent(record: NodeLineRecord, node: Node): boolean {
  return (
    record.type === node.type &&
    record.summary === node.summary &&
    JSON.stringify(record.tags) === JSON.stringify(node.tags) &&
    JSON.stringify(record.props) === JSON.stringify(node.props)
  );
}

function throwMissingNode(name: string): never {
  throw new TrellisError('INTERNAL', `No node was made for ${name}.`);
}
