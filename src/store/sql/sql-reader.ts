import type { Commit } from '../../model/commit.js';
import type { Edge, EdgeIdentity } from '../../model/edge.js';
import type { Node, NodeId, Observation } from '../../model/node.js';
import type {
  CommitPage,
  MaintainPairsRequest,
  NodePage,
  NodePairsRequest,
  OrdinalRange,
  QueryOptions,
  RowPage,
  ScalarProps,
  StemLookupOptions,
  TextLookupOptions,
  TouchPage,
  VersionRequest,
} from '../read-requests.js';
import type {
  CommitSummary,
  CountedIdentity,
  GraphCounts,
  HistoryComparison,
  Identity,
  MaintainPairsProgress,
  NearNodePairs,
  NodeHits,
  NodeTouch,
  NodeVersions,
  ObservationTally,
  ObservationText,
  QueryPlan,
  QueryRows,
  TalliedNode,
  TouchedByCommit,
  TypeCounts,
  WordStatistics,
} from '../read-results.js';
import type { Reader } from '../reader.js';
import type { RowQuery } from '../row-query.js';
import type { NearText, NodeVector, VectorSpace } from '../vector-store.js';
import { CommitLog, visibleCommits } from './commits/commit-log.js';
import { compareHistory, hasCommit, nodesTouchedSince } from './commits/compare-history.js';
import { lastTouched, listTouches } from './commits/last-touched.js';
import { edgesTouched, versionsOf } from './commits/node-versions.js';
import { countRows, countTypes } from './counts.js';
import type { Dialect } from './dialect.js';
import type { Executor, Fragment } from './executor.js';
import { GraphCatalog } from './graph-catalog.js';
import { visibleGraphSchema } from './graph-schema-versions.js';
import { identitiesNamed, identitiesOf } from './identities.js';
import { type Lineage, visible } from './lineage.js';
import { hasNoEdges, nodesToSummarise, tallyObservations } from './node-lists.js';
import { nodesMatching, nodesSpelledLike, nodesWithValues } from './properties/nodes-by-value.js';
import type { ReaderCaches } from './reader-caches.js';
import {
  nodeColumns,
  observationTextColumns,
  readNode,
  readNumber,
  readObservationText,
  selectNumber,
} from './rows.js';
import { and, raw, sql } from './sql.js';
import { countEmbedded, nearTexts, type VectorReadContext } from './vectors/near-texts.js';
import { eachVector, sumVectors } from './vectors/node-vectors.js';
import { QuantizedVectorCache } from './vectors/quantized-vectors.js';
import { findSpace } from './vectors/vector-spaces.js';
import { afterOrder, limitClause, VisibleRows } from './visible-rows.js';
import { withoutRegistry } from './without-registry.js';
import { WordStatisticsCache } from './word-statistics-cache.js';

export interface ReaderOptions {
  readonly epoch?: string;
  readonly replacedIn?: ReadonlySet<string> | undefined;
  /** Left out if this reader shares nothing with others. */
  readonly caches?: ReaderCaches | undefined;
}

const none: ReadonlySet<string> = new Set();

export class SqlReader extends VisibleRows implements Reader {
  readonly epoch: string;
  readonly graphId: number;
  readonly replacedIn: ReadonlySet<string>;
  readonly #caches: ReaderCaches | undefined;
  /** Most calls on a typed graph ask several times. */
  #schema: Promise<string | null> | undefined;

  constructor(
    executor: Executor,
    dialect: Dialect,
    lineage: Lineage,
    { epoch = '', replacedIn = none, caches }: ReaderOptions = {},
  ) {
    super(executor, dialect, lineage);
    this.epoch = epoch;
    this.graphId = lineage.graph;
    this.replacedIn = replacedIn;
    this.#caches = caches;
  }

  async at(commit: string | null): Promise<Reader> {
    const { graph, levels } = this.lineage;
    const lineage =
      commit === null
        ? { graph, levels: [{ branch: levels[0].branch, seq: 0, atHead: false }] as const }
        : await new GraphCatalog(this.executor).lineageAt(graph, commit);
    const seen = this.lineage.isNodeVisible === undefined ? lineage : withoutRegistry(this.dialect, lineage);
    const { epoch, replacedIn } = this;
    return new SqlReader(this.executor, this.dialect, seen, { epoch, replacedIn, caches: this.#caches });
  }

  schema(): Promise<string | null> {
    this.#schema ??= visibleGraphSchema(this.executor, this.lineage);
    return this.#schema;
  }

  touchedBy(commit: string): Promise<TouchedByCommit> {
    return new CommitLog(this.executor, this.lineage.graph).touchedBy(commit);
  }

  nodesTouchedBy(commit: string, limit: number): Promise<NodeId[]> {
    return new CommitLog(this.executor, this.lineage.graph).nodesTouchedBy(commit, limit);
  }

  hasCommit(commit: string): Promise<boolean> {
    return hasCommit(this, commit);
  }

  unseen(commit: string): Promise<HistoryComparison> {
    return compareHistory(this, commit);
  }

  nodesTouchedSince(commit: string, nodes: readonly NodeId[]): Promise<ReadonlySet<NodeId>> {
    return nodesTouchedSince(this, commit, nodes);
  }

  nodesMatching(type: string, props: ScalarProps): Promise<Node[]> {
    return Object.keys(props).length === 0 ? this.nodes({ types: [type] }) : nodesMatching(this, type, props);
  }

  nodesWithValues(
    type: string,
    property: string,
    values: readonly (string | number | boolean)[],
  ): Promise<Node[]> {
    return nodesWithValues(this, type, property, values);
  }

  nodesSpeltLike(type: string, name: string, limit: number): Promise<Node[]> {
    return nodesSpelledLike(this, type, name, limit);
  }

  identitiesNamed(names: readonly string[]): Promise<Identity[]> {
    return identitiesNamed(this, names);
  }

  identitiesOf(ids: readonly NodeId[]): Promise<CountedIdentity[]> {
    return identitiesOf(this, ids);
  }

  async nodes({ after, limit, types, withProvenance }: NodePage = {}): Promise<Node[]> {
    const conditions: Fragment[] = [sql`r.stub = 0`, ...afterOrder(after)];
    if (withProvenance === true) conditions.push(sql`r.provenance is not null`);
    if (types !== undefined) conditions.push(this.dialect.inList('r.type', 'text', types));
    return this.selectNodes(and(conditions), limitClause(limit));
  }

  stubs(): Promise<Node[]> {
    return this.selectNodes(sql`r.stub = 1`);
  }

  observations(): Promise<Observation[]> {
    return this.selectObservations();
  }

  observationsLength(): Promise<number> {
    const seen = visible('observation_row', 'r', this.lineage);
    return selectNumber(
      this.executor,
      sql`select coalesce(sum(length(r.text)), 0) as n from observation_row r where ${seen}`,
    );
  }

  async edges({ after, limit, types }: RowPage = {}): Promise<Edge[]> {
    const conditions = afterOrder(after);
    if (types !== undefined) conditions.push(this.dialect.inList('r.type', 'text', types));
    return this.selectEdges({ where: conditions, tail: limitClause(limit) });
  }

  async countEdgesFrom(ids: readonly NodeId[], type: string): Promise<Map<NodeId, number>> {
    if (ids.length === 0) return new Map();
    const where = and([
      visible('edge_row', 'r', this.lineage),
      sql`r.type = ${type}`,
      this.dialect.inList('r.from_node', 'integer', ids),
    ]);
    const rows = await this.executor.all(
      sql`select r.from_node, count(*) as n from edge_row r where ${where} group by r.from_node`,
    );
    return new Map(rows.map((row) => [readNumber(row, 'from_node'), readNumber(row, 'n')]));
  }

  async updatedAt(ids: readonly NodeId[]): Promise<Map<NodeId, number>> {
    return new Map([...(await this.lastTouched(ids))].map(([id, { time }]) => [id, time]));
  }

  versionsOf(request: VersionRequest): Promise<NodeVersions> {
    return versionsOf(this, request);
  }

  edgesTouched(node: NodeId, seqs: readonly number[]): Promise<Map<number, EdgeIdentity[]>> {
    return edgesTouched(this, node, seqs);
  }

  commitsAt(seqs: readonly number[]): Promise<Commit[]> {
    return new CommitLog(this.executor, this.lineage.graph).at(this.dialect, seqs);
  }

  lastTouched(ids: readonly NodeId[]): Promise<Map<NodeId, NodeTouch>> {
    return lastTouched(this, ids);
  }

  touches(page: TouchPage): Promise<NodeTouch[]> {
    return listTouches(this, page);
  }

  nodesWithoutEdges({ after, limit }: RowPage = {}): Promise<Node[]> {
    return this.selectNodes(and([hasNoEdges(this.lineage), ...afterOrder(after)]), limitClause(limit));
  }

  nodesToSummarise(page: RowPage = {}): Promise<TalliedNode[]> {
    return nodesToSummarise(this, page);
  }

  tallyObservations(ids: readonly NodeId[]): Promise<Map<NodeId, ObservationTally>> {
    return tallyObservations(this, ids);
  }

  commits(page: CommitPage): Promise<CommitSummary[]> {
    return visibleCommits(this, page);
  }

  counts(): Promise<GraphCounts> {
    return countRows(this);
  }

  countsByType(): Promise<TypeCounts> {
    return countTypes(this);
  }

  nodesContaining(needle: string, limit?: number): Promise<NodeHits> {
    return this.dialect.textSearch.nodesContaining(this.executor, this.lineage, needle, limit);
  }

  async wordStatistics(stems: readonly string[]): Promise<WordStatistics> {
    const { executor, dialect } = this;
    // Shared with readers who see everything.
    const { isNodeVisible: _, ...lineage } = this.lineage;
    const words = this.#caches?.words ?? new WordStatisticsCache();
    return words.statistics({ executor, dialect, lineage }, stems);
  }

  async observationsWithWords(
    stems: readonly string[],
    query: StemLookupOptions,
  ): Promise<ObservationText[]> {
    const rows = await this.rowsWithStems('observation_row', observationTextColumns, stems, query);
    return rows.map(readObservationText);
  }

  async nodesWithWords(stems: readonly string[], query: StemLookupOptions): Promise<Node[]> {
    return (await this.rowsWithStems('node_row', nodeColumns, stems, query)).map(readNode);
  }

  async textsOf(ids: readonly NodeId[]): Promise<ObservationText[]> {
    if (ids.length === 0) return [];
    return this.selectTexts(this.dialect.inList('r.node', 'integer', ids));
  }

  async observationsBetween(ranges: readonly OrdinalRange[]): Promise<ObservationText[]> {
    if (ranges.length === 0) return [];
    const wanted = this.dialect.tuples(
      { node: 'integer', first: 'integer', last: 'integer' },
      ranges.map(({ node, from, to }) => [node, from, to]),
    );
    const seen = visible('observation_row', 'r', this.lineage);
    const rows = await this.executor.all(
      sql`select distinct ${raw(observationTextColumns)} from ${wanted} t cross join observation_row r
        where r.node = t.node and r.ordinal between t.first and t.last and (${seen}) order by r.node, r.ordinal`,
    );
    return rows.map(readObservationText);
  }

  nearTexts(space: VectorSpace, query: Float32Array, wanted: TextLookupOptions): Promise<NearText[]> {
    return nearTexts(this.#vectorReads, space, query, wanted);
  }

  countEmbedded(space: VectorSpace): Promise<number> {
    return countEmbedded(this.#vectorReads, space);
  }

  async nodeVectors(space: VectorSpace, nodes: readonly NodeId[]): Promise<NodeVector[]> {
    const id = await findSpace(this.executor, space);
    if (id === undefined) return [];
    const sums = await sumVectors(this, { space: id, dimension: space.dimension }, nodes);
    return Array.from(eachVector(sums), ([node, vector]) => ({ node, vector }));
  }

  async nearNodePairs(space: VectorSpace, request: NodePairsRequest): Promise<NearNodePairs> {
    if (this.#caches !== undefined) return this.#caches.nodePairs.nearPairs(this, space, request);
    const { NodePairIndex } = await import('./vectors/node-pairs/node-pair-index.js');
    const index = new NodePairIndex();
    try {
      return await index.nearPairs(this, space, request);
    } finally {
      await index.close();
    }
  }

  async maintainNodePairs(space: VectorSpace, request: MaintainPairsRequest): Promise<MaintainPairsProgress> {
    // Without caches, nothing would be left of it.
    return (await this.#caches?.nodePairs.maintain(this, space, request)) ?? { isDone: true };
  }

  async query(query: RowQuery, options?: QueryOptions): Promise<QueryRows> {
    // Loaded on demand: most servers run no queries, and all of them have to start.
    const { runRowQuery } = await import('./query/run-row-query.js');
    const { executor, dialect, lineage } = this;
    const caches = this.#caches;
    const kept = { lengths: caches?.lengths, vocabularies: caches?.vocabularies, stemmed: caches?.stemmed };
    return runRowQuery({ executor, dialect, lineage, ...kept }, query, options);
  }

  async explain(query: RowQuery): Promise<QueryPlan> {
    const { explainRowQuery } = await import('./query/run-row-query.js');
    return explainRowQuery(this, query);
  }

  get #vectorReads(): VectorReadContext {
    const { executor, dialect, lineage } = this;
    return { executor, dialect, lineage, nearest: this.#caches?.nearest ?? new QuantizedVectorCache() };
  }
}
