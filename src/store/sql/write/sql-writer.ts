import { putInChunks, writeChunkSize, writeInChunks } from '../../../bounds/chunks.js';
import { NumberSet } from '../../../bounds/number-set.js';
import { type ChangeCounts, zeroChangeCounts } from '../../../model/commit.js';
import type { Edge, EdgeIdentity } from '../../../model/edge.js';
import type { NodeId, Observation } from '../../../model/node.js';
import type { Order } from '../../../model/order.js';
import type { Violation } from '../../../model/violation.js';
import type {
  EdgeDraft,
  IdentityDraft,
  KnownNodes,
  NodeDraft,
  ObservationDraft,
  PropertyToIndex,
} from '../../drafts.js';
import type { RegistryAccess } from '../../graph-targets.js';
import type { QueryOptions } from '../../read-requests.js';
import type { DerivedProperty, Identity, QueryRows, TouchedItems } from '../../read-results.js';
import type { RowQuery } from '../../row-query.js';
import type { Writer } from '../../writer.js';
import { touchedHereSince } from '../commits/compare-history.js';
import { TouchLog } from '../commits/touch-log.js';
import type { TouchedSet } from '../commits/touched-set.js';
import type { Dialect, SequenceAllocator } from '../dialect.js';
import type { Executor } from '../executor.js';
import { insertGraphSchema } from '../graph-schema-versions.js';
import { insertIdentities } from '../identities.js';
import type { Lineage, VersionedTable } from '../lineage.js';
import { indexProperties } from '../properties/property-index.js';
import type { EdgeRow, Versioned } from '../rows.js';
import { SqlReader } from '../sql-reader.js';
import { VisibleRows } from '../visible-rows.js';
import { withoutRegistry } from '../without-registry.js';
import { NodeWriter } from './node-writer.js';
import { ObservationWriter } from './observation-writer.js';
import { nextOrdinals, OrdinalAllocator } from './ordinal-allocator.js';
import { RegistryWriteCheck } from './registry-write-check.js';
import { retireRows } from './retire-rows.js';
import { edgeRowColumns, edgeRowValues, type WriteStamp } from './row-values.js';
import type { MutableChangeCounts, OpenWrite, WriteParts } from './write-parts.js';
import type { WriteSchema } from './write-schema.js';

interface WriterOptions {
  readonly now: number;
  readonly sequences: SequenceAllocator;
  readonly schema: WriteSchema;
  readonly registry?: RegistryAccess | undefined;
  readonly headCommit: string | null;
  readonly purges: number;
}

export class SqlWriter extends SqlReader implements Writer, OpenWrite {
  readonly now: number;
  readonly purges: number;
  readonly #numbers: SequenceAllocator;
  readonly #schema: WriteSchema;
  /** Everything on the branch, also what the author of the write does not see. */
  readonly #all: VisibleRows;
  readonly #registry: RegistryWriteCheck;
  readonly #branch: number;
  readonly #headCommit: string | null;
  readonly #counts: MutableChangeCounts = { ...zeroChangeCounts };
  readonly #touches = new TouchLog();
  readonly #rowless = new Set<NodeId>();
  readonly #made = new NumberSet();
  readonly #ordinals = new OrdinalAllocator();
  readonly #nodes: NodeWriter;
  readonly #observations: ObservationWriter;
  #seq: number | undefined;
  #position = 0;
  #setsSchema = false;

  constructor(
    executor: Executor,
    dialect: Dialect,
    lineage: Lineage,
    { now, sequences, schema, registry, headCommit, purges }: WriterOptions,
  ) {
    super(executor, dialect, registry?.hidden === true ? withoutRegistry(dialect, lineage) : lineage);
    this.#all = new VisibleRows(executor, dialect, lineage);
    this.#registry = new RegistryWriteCheck(this.#all, registry);
    this.now = now;
    this.#numbers = sequences;
    this.#schema = schema;
    this.#branch = lineage.levels[0].branch;
    this.#headCommit = headCommit;
    this.purges = purges;
    const parts: WriteParts = {
      ...{ write: this, counts: this.#counts, touches: this.#touches, ordinals: this.#ordinals },
      ...{ registry: this.#registry, schema, made: this.#made, rowless: this.#rowless },
    };
    this.#nodes = new NodeWriter(this.#all, parts);
    this.#observations = new ObservationWriter(this.#all, parts);
  }

  get touched(): TouchedSet {
    return this.#touches.touched;
  }

  get changes(): ChangeCounts {
    return this.#counts;
  }

  /** Undefined as long as nothing has changed. */
  get commitSeq(): number | undefined {
    return this.#seq;
  }

  async addIdentities(drafts: readonly IdentityDraft[]): Promise<Identity[]> {
    if (drafts.length === 0) return [];
    if (drafts.length > writeChunkSize) return putInChunks(drafts, (some) => this.addIdentities(some));
    const older = drafts.flatMap(({ node }) => node ?? []);
    const missing = drafts.length - older.length;
    const taken = missing === 0 ? [] : this.#numbers.take('node', missing);
    // In one round trip, where the database counts.
    const [fresh] = await Promise.all([taken, this.#seq ?? this.beginCommit()]);
    for (const id of fresh) {
      this.#rowless.add(id);
      this.#made.add(id);
    }
    const counted = older.length === 0 ? new Map<NodeId, number>() : await nextOrdinals(this, older);
    return insertIdentities(this, drafts, { fresh, counted }, this.#ordinals);
  }

  putNodes(drafts: readonly NodeDraft[], known?: KnownNodes): Promise<void> {
    return this.#nodes.put(drafts, known);
  }

  async removeNodes(ids: readonly NodeId[]): Promise<Edge[]> {
    if (ids.length === 0) return [];
    if (ids.length > writeChunkSize) return putInChunks(ids, (some) => this.removeNodes(some));
    const nodes = await this.#all.nodesById(ids);
    if (nodes.length === 0) return [];
    this.#registry.check(nodes);
    const edges = await this.#all.edgesOf(nodes.map((node) => node.id));
    await this.#removeEdgeRows(edges);
    const observations = await this.#all.observationsOf(ids);
    await this.#end('observation_row', observations);
    await this.#end('node_row', nodes);
    this.#counts.observationsDeleted += observations.length;
    this.#counts.nodesDeleted += nodes.filter((node) => !node.stub).length;
    this.#touches.addNodes(nodes.map(({ id }) => id));
    this.#schema.validator?.nodesRemoved(ids);
    return edges;
  }

  putObservations(drafts: readonly ObservationDraft[]): Promise<Observation[]> {
    return this.#observations.put(drafts);
  }

  removeObservations(places: readonly { readonly node: NodeId; readonly ordinal: number }[]): Promise<void> {
    return this.#observations.remove(places);
  }

  async putEdges(given: readonly EdgeDraft[]): Promise<void> {
    if (given.length === 0) return;
    if (given.length > writeChunkSize) return writeInChunks(given, (some) => this.putEdges(some));
    const drafts = this.#schema.validator?.prepareEdges(given) ?? given;
    const stamp = await this.stamp();
    const { seq } = stamp;
    const before = await this.#all.edgesByIdentity(drafts.filter((draft) => this.#mayBeThere(draft)));
    retireRows(this.#all, 'edge_row', before, seq);
    this.#counts.edgesUpdated += before.length;
    this.#counts.edgesCreated += drafts.length - before.length;
    this.executor.insert(
      'edge_row',
      edgeRowColumns,
      drafts.map((draft) => {
        const order = draft.order ?? this.nextOrder(seq, draft.position);
        this.#touches.addEdge(draft, order.seq === seq);
        return edgeRowValues(stamp, draft, order);
      }),
    );
  }

  async removeEdges(identities: readonly EdgeIdentity[]): Promise<void> {
    const remove = async (some: typeof identities) => this.#removeEdgeRows(await this.#edgesByIdentity(some));
    await writeInChunks(identities, remove);
  }

  override async query(query: RowQuery, options?: QueryOptions): Promise<QueryRows> {
    const rows = await super.query(query, options);
    // The settings for a query need not suit the rest of the write.
    this.dialect.queryDialect.end(this.executor);
    return rows;
  }

  async indexProperties(properties: readonly PropertyToIndex[]): Promise<void> {
    await indexProperties(this.graphContext, properties);
    this.#nodes.forgetIndexes();
  }

  async touchedSince(commit: string | null): Promise<TouchedItems | undefined> {
    if (commit === this.#headCommit) return { nodes: [], edges: [] };
    return commit === null ? undefined : touchedHereSince(this, commit);
  }

  async keep(touches: TouchedItems): Promise<void> {
    this.#touches.keep(touches);
  }

  override async schema(): Promise<string | null> {
    const { source } = this.#schema;
    return source === undefined ? super.schema() : source;
  }

  async setSchema(source: string | null): Promise<void> {
    // Compiled first, to refuse an invalid one.
    const schema = await this.#schema.compile(source);
    const seq = this.#seq ?? (await this.beginCommit());
    insertGraphSchema(this.executor, { graph: this.lineage.graph, branch: this.#branch, seq }, source);
    if (schema !== undefined) await this.indexProperties(schema.indexedProperties);
    await this.#schema.use(source);
    this.#setsSchema = true;
  }

  get setsSchema(): boolean {
    return this.#setsSchema;
  }

  get isValidated(): boolean {
    return this.#schema.validator !== undefined;
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

  async settle(): Promise<void> {
    await this.#schema.validator?.settle(this);
  }

  async beginCommit(): Promise<number> {
    const [seq] = await this.#numbers.take('seq', 1);
    this.#seq = seq as number;
    return this.#seq;
  }

  async stamp(): Promise<WriteStamp> {
    const seq = this.#seq ?? (await this.beginCommit());
    return { graph: this.lineage.graph, branch: this.#branch, seq, now: this.now };
  }

  nextOrder(seq: number, position = this.#position): Order {
    this.#position = Math.max(this.#position, position + 1);
    return { seq, position };
  }

  /** Called once, when the work is done. */
  recordTouched(seq: number): Promise<void> | undefined {
    return this.#touches.record(this.#all, seq, (edges) => this.#edgesByIdentity(edges));
  }

  async #removeEdgeRows(edges: readonly EdgeRow[]): Promise<void> {
    await this.#end('edge_row', edges);
    this.#counts.edgesDeleted += edges.length;
    for (const edge of edges) this.#touches.addRemovedEdge(edge);
    this.#schema.validator?.edgesRemoved(edges);
  }

  #edgesByIdentity(identities: readonly EdgeIdentity[]): Promise<EdgeRow[]> {
    return this.#all.edgesByIdentity(
      this.#made.size === 0 ? identities : identities.filter((edge) => this.#mayBeThere(edge)),
    );
  }

  /** An edge of a new node can only exist if this write has put it: most of a large batch need no look-up. */
  #mayBeThere(edge: EdgeIdentity): boolean {
    return !(this.#made.has(edge.from) || this.#made.has(edge.to)) || this.touched.hasEdge(edge);
  }

  async #end(table: VersionedTable, rows: readonly Versioned[]): Promise<void> {
    if (rows.length > 0) retireRows(this.#all, table, rows, this.#seq ?? (await this.beginCommit()));
  }
}
