import type { Edge, EdgeIdentity } from '../../model/edge.js';
import type { Node, NodeId, Observation } from '../../model/node.js';
import type {
  CommitPage,
  EdgePage,
  NodePage,
  OrdinalRange,
  QueryOptions,
  ScalarProps,
  StemLookupOptions,
  TextLookupOptions,
  TouchPage,
} from '../read-requests.js';
import type {
  CommitSummary,
  CountedIdentity,
  GraphCounts,
  HistoryComparison,
  Identity,
  Link,
  NodeHits,
  NodeTouch,
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
import { CommitLog } from './commits/commit-log.js';
import { compareHistory } from './commits/compare-history.js';
import { lastTouched, listTouches } from './commits/last-touched.js';
import { visibleCommits } from './commits/visible-commits.js';
import { countRows, countTypes } from './counts.js';
import type { Dialect } from './dialect.js';
import type { Executor, Fragment } from './executor.js';
import { GraphCatalog } from './graph-catalog.js';
import { visibleGraphSchema } from './graph-schema-versions.js';
import { identitiesNamed, identitiesOf } from './identities.js';
import { type Lineage, visible } from './lineage.js';
import { bothEndsAmong, linksOf } from './links.js';
import { hasNoEdges, nodesToSummarise, tallyObservations } from './node-lists.js';
import { nodesMatching, nodesSpelledLike, nodesWithValues } from './properties/nodes-by-value.js';
import type { TextLengthCache } from './query/texts/text-length-cache.js';
import {
  nodeColumns,
  observationTextColumns,
  readNode,
  readNumber,
  readObservationText,
  selectNumber,
} from './rows.js';
import { and, raw, sql } from './sql.js';
import { countEmbedded, nearTexts, nodeVectors, type VectorReadContext } from './vectors/near-texts.js';
import type { NearestDocumentIndex } from './vectors/nearest-document-index.js';
import { QuantizedVectorCache } from './vectors/quantized-vectors.js';
import { afterOrder, limitClause, VisibleRows } from './visible-rows.js';
import { withoutRegistry } from './without-registry.js';
import { WordStatisticsCache } from './word-statistics-cache.js';

/** What a store gives its readers. */
export interface ReaderOptions {
  /** See `Reader.epoch`. */
  readonly epoch?: string;
  /** See `Reader.replacedIn`. */
  readonly replacedIn?: ReadonlySet<string> | undefined;
  /** The copies of vectors that all readers of the store share. */
  readonly nearest?: NearestDocumentIndex | undefined;
  /** What of its words was counted, which they share too. */
  readonly words?: WordStatisticsCache | undefined;
  /** How long texts are, which they share too; left out where what is read may still change. */
  readonly lengths?: TextLengthCache | undefined;
}

const none: ReadonlySet<string> = new Set();

/** Reads the rows that one lineage sees. */
export class SqlReader implements Reader {
  readonly epoch: string;
  readonly replacedIn: ReadonlySet<string>;
  protected readonly executor: Executor;
  protected readonly dialect: Dialect;
  protected readonly lineage: Lineage;
  protected readonly rows: VisibleRows;
  #nearest: NearestDocumentIndex | undefined;
  #words: WordStatisticsCache | undefined;
  readonly #lengths: TextLengthCache | undefined;
  /** Asked for several times by most calls on a graph that has one. */
  #schema: Promise<string | null> | undefined;

  constructor(
    executor: Executor,
    dialect: Dialect,
    lineage: Lineage,
    { epoch = '', replacedIn = none, nearest, words, lengths }: ReaderOptions = {},
  ) {
    this.executor = executor;
    this.dialect = dialect;
    this.lineage = lineage;
    this.rows = new VisibleRows(executor, dialect, lineage);
    this.epoch = epoch;
    this.replacedIn = replacedIn;
    this.#nearest = nearest;
    this.#words = words;
    this.#lengths = lengths;
  }

  async at(commit: string | null): Promise<Reader> {
    const { graph, levels } = this.lineage;
    const lineage =
      commit === null
        ? { graph, levels: [{ branch: levels[0].branch, seq: 0, atHead: false }] as const }
        : await new GraphCatalog(this.executor).lineageAt(graph, commit);
    const seen = this.lineage.isNodeVisible === undefined ? lineage : withoutRegistry(this.dialect, lineage);
    const { epoch, replacedIn } = this;
    const shared = { nearest: this.#nearest, words: this.#words, lengths: this.#lengths };
    return new SqlReader(this.executor, this.dialect, seen, { epoch, replacedIn, ...shared });
  }

  schema(): Promise<string | null> {
    this.#schema ??= visibleGraphSchema(this.executor, this.lineage);
    return this.#schema;
  }

  touchedBy(commit: string): Promise<TouchedByCommit> {
    return new CommitLog(this.executor, this.lineage.graph).touchedBy(commit);
  }

  unseen(commit: string): Promise<HistoryComparison> {
    return compareHistory(this.rows, commit);
  }

  nodesNamed(names: readonly string[]): Promise<Node[]> {
    return this.rows.nodesNamed(names);
  }

  async nodesById(ids: readonly NodeId[]): Promise<Node[]> {
    return this.rows.nodesById(ids);
  }

  nodesMatching(type: string, props: ScalarProps): Promise<Node[]> {
    return Object.keys(props).length === 0
      ? this.nodes({ types: [type] })
      : nodesMatching(this.rows, type, props);
  }

  nodesWithValues(
    type: string,
    property: string,
    values: readonly (string | number | boolean)[],
  ): Promise<Node[]> {
    return nodesWithValues(this.rows, type, property, values);
  }

  nodesSpeltLike(type: string, name: string, limit: number): Promise<Node[]> {
    return nodesSpelledLike(this.rows, type, name, limit);
  }

  identitiesNamed(names: readonly string[]): Promise<Identity[]> {
    return identitiesNamed(this.rows, names);
  }

  identitiesOf(ids: readonly NodeId[]): Promise<CountedIdentity[]> {
    return identitiesOf(this.rows, ids);
  }

  async nodes({ after, limit, types }: NodePage = {}): Promise<Node[]> {
    const conditions: Fragment[] = [sql`r.stub = 0`, ...afterOrder(after)];
    if (types !== undefined) conditions.push(this.dialect.inList('r.type', 'text', types));
    return this.rows.nodes(and(conditions), limitClause(limit));
  }

  stubs(): Promise<Node[]> {
    return this.rows.nodes(sql`r.stub = 1`);
  }

  observationsOf(ids: readonly NodeId[], texts?: readonly string[]): Promise<Observation[]> {
    if (ids.length === 0) return Promise.resolve([]);
    const conditions = texts === undefined ? [] : [this.dialect.inList('r.text', 'text', texts)];
    return this.rows.observationsOf(ids, conditions);
  }

  async observationsNamed(names: readonly string[]): Promise<Observation[]> {
    return names.length === 0 ? [] : this.rows.observationsNamed(names);
  }

  observations(): Promise<Observation[]> {
    return this.rows.observations();
  }

  observationsLength(): Promise<number> {
    const seen = visible('observation_row', 'r', this.lineage);
    return selectNumber(
      this.executor,
      sql`select coalesce(sum(length(r.text)), 0) as n from observation_row r where ${seen}`,
    );
  }

  async edgesOf(ids: readonly NodeId[]): Promise<Edge[]> {
    return this.rows.edgesOf(ids);
  }

  async edgesNamed(names: readonly string[]): Promise<Edge[]> {
    return this.rows.edgesNamed(names);
  }

  async edgesByIdentity(identities: readonly EdgeIdentity[]): Promise<Edge[]> {
    return this.rows.edgesByIdentity(identities);
  }

  async edges({ after, limit, types }: EdgePage = {}): Promise<Edge[]> {
    const conditions = afterOrder(after);
    if (types !== undefined) conditions.push(this.dialect.inList('r.type', 'text', types));
    return this.rows.edges({ where: conditions, tail: limitClause(limit) });
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

  lastTouched(ids: readonly NodeId[]): Promise<Map<NodeId, NodeTouch>> {
    return lastTouched(this.rows, ids);
  }

  touches(page: TouchPage): Promise<NodeTouch[]> {
    return listTouches(this.rows, page);
  }

  nodesWithoutEdges({ after, limit }: NodePage = {}): Promise<Node[]> {
    return this.rows.nodes(and([hasNoEdges(this.lineage), ...afterOrder(after)]), limitClause(limit));
  }

  nodesToSummarise(page: NodePage = {}): Promise<TalliedNode[]> {
    return nodesToSummarise(this.rows, page);
  }

  tallyObservations(ids: readonly NodeId[]): Promise<Map<NodeId, ObservationTally>> {
    return tallyObservations(this.rows, ids);
  }

  linksOf(ids: readonly NodeId[]): Promise<Link[]> {
    return linksOf(this.rows, ids);
  }

  async edgesBetween(ids: readonly NodeId[]): Promise<Edge[]> {
    if (ids.length === 0) return [];
    return this.rows.edges({ where: [bothEndsAmong(this.dialect, ids)] });
  }

  commits(page: CommitPage): Promise<CommitSummary[]> {
    return visibleCommits(this.rows, page);
  }

  counts(): Promise<GraphCounts> {
    return countRows(this.rows);
  }

  countsByType(): Promise<TypeCounts> {
    return countTypes(this.rows);
  }

  nodesContaining(needle: string, limit?: number): Promise<NodeHits> {
    return this.dialect.textSearch.nodesContaining(this.executor, this.lineage, needle, limit);
  }

  async wordStatistics(stems: readonly string[]): Promise<WordStatistics> {
    const { executor, dialect } = this;
    // What is counted is shared with those who see everything.
    const { isNodeVisible: _, ...lineage } = this.lineage;
    this.#words ??= new WordStatisticsCache();
    return this.#words.statistics({ executor, dialect, lineage }, stems);
  }

  async observationsWithWords(
    stems: readonly string[],
    query: StemLookupOptions,
  ): Promise<ObservationText[]> {
    const rows = await this.rows.rowsWithStems('observation_row', observationTextColumns, stems, query);
    return rows.map(readObservationText);
  }

  async nodesWithWords(stems: readonly string[], query: StemLookupOptions): Promise<Node[]> {
    return (await this.rows.rowsWithStems('node_row', nodeColumns, stems, query)).map(readNode);
  }

  async textsOf(ids: readonly NodeId[]): Promise<ObservationText[]> {
    if (ids.length === 0) return [];
    return this.rows.texts(this.dialect.inList('r.node', 'integer', ids));
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

  nodeVectors(space: VectorSpace, limit: number): Promise<NodeVector[]> {
    return nodeVectors(this.#vectorReads, space, limit);
  }

  async query(query: RowQuery, options?: QueryOptions): Promise<QueryRows> {
    // Loaded when it is needed: most servers are asked no queries, and all of them have to start.
    const { runRowQuery } = await import('./query/run-row-query.js');
    return runRowQuery({ ...this.rows, lengths: this.#lengths }, query, options);
  }

  async explain(query: RowQuery): Promise<QueryPlan> {
    const { explainRowQuery } = await import('./query/run-row-query.js');
    return explainRowQuery(this.rows, query);
  }

  get #vectorReads(): VectorReadContext {
    this.#nearest ??= new QuantizedVectorCache();
    return { ...this.rows, nearest: this.#nearest };
  }
}
