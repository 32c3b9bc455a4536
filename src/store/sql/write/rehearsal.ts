import { putInChunks, writeChunkSize, writeInChunks } from '../../../bounds/chunks.js';
import { forEachYielding } from '../../../bounds/yielding-loops.js';
import { defaultWeight, type Edge, type EdgeIdentity, edgeKey } from '../../../model/edge.js';
import type { Node, NodeId, Observation } from '../../../model/node.js';
import { type Order, rehearsedSeq } from '../../../model/order.js';
import type { Violation } from '../../../model/violation.js';
import type { EdgeDraft, IdentityDraft, NodeDraft, ObservationDraft } from '../../drafts.js';
import type { RowPage, ScalarProps } from '../../read-requests.js';
import type { DerivedProperty, Identity, TypeCounts } from '../../read-results.js';
import type { Reader } from '../../reader.js';
import type { RowWriter } from '../../writer.js';
import { hasScalars } from '../properties/node-properties.js';
import { ObservationOverlay } from './observation-overlay.js';
import { Overlay } from './overlay.js';
import type { WriteSchema } from './write-schema.js';

const emptyNode = {
  stub: false,
  summary: null,
  summaryUpdatedAt: null,
  tags: [],
  props: {},
  provenance: null,
};
const emptyEdge = { weight: defaultWeight, props: {}, provenance: null };

/**
 * A write that stays in memory, over a state that is only read: it finds what a write finds, its schema gives the same
 * answers, and no other write waits for it.
 */
export class Rehearsal implements RowWriter {
  readonly #base: Reader;
  readonly #schema: WriteSchema;
  readonly #nodes = new Overlay<NodeId, Node>(({ id }) => id);
  readonly #edges = new Overlay<string, Edge>(edgeKey);
  /** The keys of the edges that were put, by their ends. */
  readonly #edgesAt = new Map<NodeId, Set<string>>();
  readonly #observations: ObservationOverlay;
  readonly #identities: Identity[] = [];
  /** The changes in the number of nodes and edges by type, and of edges by source and type. */
  readonly #more = { nodes: new Map<string, number>(), edges: new Map<string, number>() };
  readonly #moreFrom = new Map<string, number>();
  /** Real nodes that were put, by type and property, then by value; made on demand. */
  readonly #byValue = new Map<string, Map<unknown, Node[]>>();
  #position = 0;

  constructor(base: Reader, schema: WriteSchema) {
    this.#base = base;
    this.#observations = new ObservationOverlay(base);
    this.#schema = schema;
  }

  async schema(): Promise<string | null> {
    const { source } = this.#schema;
    return source === undefined ? this.#base.schema() : source;
  }

  setSchema(source: string | null): Promise<void> {
    return this.#schema.use(source);
  }

  derivedProperties(): Promise<readonly DerivedProperty[]> {
    return this.#schema.derived(this);
  }

  migrateRows(earlier: string): Promise<void> {
    return this.#schema.migrateRows(this, earlier);
  }

  violations(of: 'written' | 'everything' = 'written'): Promise<readonly Violation[]> {
    return this.#schema.violations(this, of);
  }

  nodes({ types, ...page }: RowPage = {}): Promise<Node[]> {
    const wanted = ({ stub, type }: Node) => !stub && (types === undefined || types.includes(type));
    return this.#nodes.page(page, wanted, (after) => this.#base.nodes({ ...page, after, types }));
  }

  async stubs(): Promise<Node[]> {
    return this.#nodes.over(
      await this.#base.stubs(),
      this.#nodes.where(({ stub }) => stub),
    );
  }

  async nodesById(ids: readonly NodeId[]): Promise<Node[]> {
    const found = await this.#base.nodesById(ids.filter((id) => !this.#nodes.has(id)));
    return this.#nodes.over(found, this.#nodes.at(ids));
  }

  async nodesNamed(names: readonly string[]): Promise<Node[]> {
    const wanted = new Set(names);
    return this.#nodes.over(
      await this.#base.nodesNamed(names),
      this.#nodes.where(({ name }) => wanted.has(name)),
    );
  }

  async nodesMatching(type: string, props: ScalarProps): Promise<Node[]> {
    const [[property, value] = ['', '']] = Object.entries(props);
    const put = (await this.#withValue(type, property)).get(value) ?? [];
    return this.#nodes.over(
      await this.#base.nodesMatching(type, props),
      put.filter((node) => hasScalars(node.props, props)),
    );
  }

  async nodesWithValues(
    type: string,
    property: string,
    values: readonly (string | number | boolean)[],
  ): Promise<Node[]> {
    const put = await this.#withValue(type, property);
    return this.#nodes.over(
      await this.#base.nodesWithValues(type, property, values),
      values.flatMap((value) => put.get(value) ?? []),
    );
  }

  async countsByType(): Promise<TypeCounts> {
    const { nodes, edges } = await this.#base.countsByType();
    return { nodes: sum(nodes, this.#more.nodes), edges: sum(edges, this.#more.edges) };
  }

  edges({ types, ...page }: RowPage = {}): Promise<Edge[]> {
    const wanted = ({ type }: Edge) => types === undefined || types.includes(type);
    return this.#edges.page(page, wanted, (after) => this.#base.edges({ ...page, after, types }));
  }

  async edgesOf(ids: readonly NodeId[]): Promise<Edge[]> {
    const put = this.#edges.at(ids.flatMap((id) => [...(this.#edgesAt.get(id) ?? [])]));
    return this.#edges.over(await this.#base.edgesOf(ids), put);
  }

  async edgesByIdentity(identities: readonly EdgeIdentity[]): Promise<Edge[]> {
    const found = await this.#base.edgesByIdentity(identities);
    return this.#edges.over(found, this.#edges.at(identities.map(edgeKey)));
  }

  async countEdgesFrom(ids: readonly NodeId[], type: string): Promise<Map<NodeId, number>> {
    const counts = await this.#base.countEdgesFrom(ids, type);
    return sum(counts, new Map(ids.map((id) => [id, this.#moreFrom.get(`${id} ${type}`) ?? 0])));
  }

  async identitiesNamed(names: readonly string[]): Promise<Identity[]> {
    const wanted = new Set(names);
    const added = this.#identities.filter(({ name }) => wanted.has(name));
    return [...(await this.#base.identitiesNamed(names)), ...added];
  }

  async addIdentities(drafts: readonly IdentityDraft[]): Promise<Identity[]> {
    const added = drafts.map(({ type, name, node }, index) => ({
      ...{ type, name, node: node ?? -1 - this.#identities.length - index },
    }));
    for (const identity of added) this.#identities.push(identity);
    return added;
  }

  async putNodes(given: readonly NodeDraft[]): Promise<void> {
    if (given.length === 0) return;
    if (given.length > writeChunkSize) return writeInChunks(given, (some) => this.putNodes(some));
    const before = await this.nodesById(given.map(({ id }) => id));
    const drafts = this.#schema.validator?.prepareNodes(given, before) ?? given;
    this.#removeNodeRows(before);
    for (const draft of drafts) {
      const node: Node = { ...emptyNode, createdAt: 0, ...draft, order: draft.order ?? this.#nextOrder() };
      this.#nodes.put(node);
      if (!node.stub) add(this.#more.nodes, node.type, 1);
    }
  }

  async removeNodes(ids: readonly NodeId[]): Promise<Edge[]> {
    if (ids.length > writeChunkSize) return putInChunks(ids, (some) => this.removeNodes(some));
    const nodes = await this.nodesById(ids);
    if (nodes.length === 0) return [];
    const edges = await this.edgesOf(ids);
    this.#removeEdgeRows(edges);
    this.#schema.validator?.edgesRemoved(edges);
    this.#removeNodeRows(nodes);
    this.#observations.removeNodes(ids);
    this.#schema.validator?.nodesRemoved(ids);
    return edges;
  }

  async putEdges(given: readonly EdgeDraft[]): Promise<void> {
    if (given.length === 0) return;
    if (given.length > writeChunkSize) return writeInChunks(given, (some) => this.putEdges(some));
    const drafts = this.#schema.validator?.prepareEdges(given) ?? given;
    this.#removeEdgeRows(await this.edgesByIdentity(drafts));
    for (const draft of drafts) {
      const edge: Edge = { ...emptyEdge, createdAt: 0, ...draft, order: draft.order ?? this.#nextOrder() };
      this.#edges.put(edge);
      for (const end of [edge.from, edge.to])
        this.#edgesAt.set(end, (this.#edgesAt.get(end) ?? new Set()).add(edgeKey(edge)));
      this.#countEdge(edge, 1);
    }
  }

  async removeEdges(identities: readonly EdgeIdentity[]): Promise<void> {
    await writeInChunks(identities, async (some) => {
      const edges = await this.edgesByIdentity(some);
      this.#removeEdgeRows(edges);
      this.#schema.validator?.edgesRemoved(edges);
    });
  }

  observationsOf(ids: readonly NodeId[], texts?: readonly string[]): Promise<Observation[]> {
    return this.#observations.of(ids, texts);
  }

  async putObservations(drafts: readonly ObservationDraft[]): Promise<Observation[]> {
    return this.#observations.put(drafts);
  }

  async removeObservations(
    identities: readonly { readonly node: NodeId; readonly ordinal: number }[],
  ): Promise<void> {
    this.#observations.remove(identities);
  }

  async keep(): Promise<void> {}

  #removeNodeRows(nodes: readonly Node[]): void {
    this.#byValue.clear();
    for (const node of nodes) {
      this.#nodes.remove(node);
      if (!node.stub) add(this.#more.nodes, node.type, -1);
    }
  }

  #removeEdgeRows(edges: readonly Edge[]): void {
    for (const edge of edges) {
      this.#edges.remove(edge);
      this.#countEdge(edge, -1);
    }
  }

  #countEdge({ from, type }: Edge, more: number): void {
    add(this.#more.edges, type, more);
    add(this.#moreFrom, `${from} ${type}`, more);
  }

  async #withValue(type: string, property: string): Promise<ReadonlyMap<unknown, Node[]>> {
    const place = JSON.stringify([type, property]);
    const known = this.#byValue.get(place);
    if (known !== undefined) return known;
    const byValue = new Map<unknown, Node[]>();
    await forEachYielding(
      this.#nodes.where((node) => !node.stub && node.type === type && Object.hasOwn(node.props, property)),
      (node) => {
        const value = node.props[property];
        const others = byValue.get(value);
        if (others === undefined) byValue.set(value, [node]);
        else others.push(node);
      },
    );
    this.#byValue.set(place, byValue);
    return byValue;
  }

  #nextOrder(): Order {
    this.#position += 1;
    return { seq: rehearsedSeq, position: this.#position };
  }
}

function add<K>(counts: Map<K, number>, key: K, more: number): void {
  counts.set(key, (counts.get(key) ?? 0) + more);
}

function sum<K>(counts: ReadonlyMap<K, number>, more: ReadonlyMap<K, number>): Map<K, number> {
  const all = new Map(counts);
  for (const [key, count] of more) add(all, key, count);
  for (const [key, count] of all) if (count === 0) all.delete(key);
  return all;
}
