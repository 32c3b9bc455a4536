import { putInChunks, writeChunkSize } from '../../../bounds/chunks.js';
import { NumberSet } from '../../../bounds/number-set.js';
import { type ChangeCounts, zeroChangeCounts } from '../../../model/commit.js';
import type { Edge, EdgeIdentity } from '../../../model/edge.js';
import type { NodeId, Observation } from '../../../model/node.js';
import type { Order } from '../../../model/order.js';
import type { Violation } from '../../../model/violation.js';
import type {
  EdgeDraft,
  IdentityDraft,
  KnownRows,
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
import type { Lineage } from '../lineage.js';
import { indexProperties } from '../properties/property-index.js';
import type { EdgeRow } from '../rows.js';
import { SqlReader } from '../sql-reader.js';
import { VisibleRows } from '../visible-rows.js';
import { withoutRegistry } from '../without-registry.js';
import { EdgeWriter } from './edge-writer.js';
import { NodeRemover } from './node-remover.js';
import { NodeWriter } from './node-writer.js';
import { ObservationWriter } from './observation-writer.js';
import { nextOrdinals, OrdinalAllocator } from './ordinal-allocator.js';
import { RegistryWriteCheck } from './registry-write-check.js';
import type { WriteStamp } from './row-values.js';
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
  readonly #edges: EdgeWriter;
  readonly #remover: NodeRemover;
  /** Whether the author of the write does. */
  readonly #seesAll: boolean;
  #seq: number | undefined;
  #begun: Promise<number> | undefined;
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
    this.#edges = new EdgeWriter(this.#all, parts);
    this.#remover = new NodeRemover(this.#all, parts, this.#edges);
    this.#seesAll = registry?.hidden !== true;
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

  putNodes(drafts: readonly NodeDraft[], known?: KnownRows): Promise<void> {
    return this.#nodes.put(drafts, known);
  }

  removeNodes(ids: readonly NodeId[], known?: KnownRows): Promise<Edge[]> {
    return this.#remover.remove(ids, this.#seesAll ? known : undefined);
  }

  putObservations(drafts: readonly ObservationDraft[], known?: KnownRows): Promise<Observation[]> {
    return this.#observations.put(drafts, known);
  }

  removeObservations(
    places: readonly { readonly node: NodeId; readonly ordinal: number }[],
    known?: KnownRows,
  ): Promise<void> {
    return this.#observations.remove(places, known);
  }

  putEdges(drafts: readonly EdgeDraft[], known?: KnownRows): Promise<void> {
    return this.#edges.put(drafts, known);
  }

  override async edgesByIdentity(identities: readonly EdgeIdentity[]): Promise<EdgeRow[]> {
    return super.edgesByIdentity(identities.filter((edge) => this.#edges.mayBeThere(edge)));
  }

  removeEdges(identities: readonly EdgeIdentity[], known?: KnownRows): Promise<void> {
    return this.#edges.remove(identities, known);
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
    await this.executor.catchUp?.();
  }

  /** Once: whoever asks while the number is on its way gets the same. */
  beginCommit(): Promise<number> {
    this.#begun ??= this.#takeSeq();
    return this.#begun;
  }

  async #takeSeq(): Promise<number> {
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
    return this.#touches.record(this.#all, seq, (edges) => this.#edges.byIdentity(edges));
  }
}
