import { LruCache } from '../../../bounds/lru-cache.js';
import { TimeSlice } from '../../../bounds/time-slice.js';
import type { Executor } from '../executor.js';
import { readNumber } from '../rows.js';
import { sql } from '../sql.js';
import { ByteMatrix } from './byte-matrix.js';
import { HighestScores } from './highest-scores.js';
import type { FindNearest, GraphSpace, NearestDocumentIndex } from './nearest-document-index.js';
import { readVector } from './text-vectors.js';

/** Rows read at once, so that they are never all in memory twice, and nobody waits long. */
const batchSize = 2_000;
/** How often it looks for dropped rows, which are never visible anyway. */
const recountMs = 10_000;

export class QuantizedVectorCache implements NearestDocumentIndex {
  /** By graph and space; few, since they are large. */
  readonly #kept = new LruCache<QuantizedVectors>(8);

  async forSpace(executor: Executor, space: GraphSpace): Promise<FindNearest> {
    const vectors = this.#kept.getOrCreate(
      `${space.graph} ${space.space}`,
      () => new QuantizedVectors(space),
    );
    await vectors.refresh(executor);
    return async (query, count, only) => vectors.nearest(query, count, only);
  }
}

/** One byte for each number of each vector: enough to find the nearest, which are then scored exactly. */
class QuantizedVectors {
  readonly #graph: number;
  readonly #space: number;
  #documents = new Float64Array(1_024);
  #scales = new Float32Array(1_024);
  readonly #bytes: ByteMatrix;
  #places = new Map<number, number>();
  #lastId = 0;
  #countedAt = 0;

  constructor({ graph, space, dimension }: GraphSpace) {
    this.#graph = graph;
    this.#space = space;
    this.#bytes = new ByteMatrix(dimension);
  }

  get size(): number {
    return this.#places.size;
  }

  /** Reads what any process added; from time to time, if rows were dropped, everything. */
  async refresh(executor: Executor): Promise<void> {
    const isNew = this.#lastId === 0;
    await this.#readOn(executor);
    if (!isNew && performance.now() - this.#countedAt < recountMs) return;
    this.#countedAt = performance.now();
    const [row] = await executor.all(
      sql`select count(*) as n from text_vector where graph = ${this.#graph} and space = ${this.#space}`,
    );
    if (row !== undefined && readNumber(row, 'n') === this.size) return;
    this.#places = new Map();
    this.#lastId = 0;
    await this.#readOn(executor);
  }

  nearest(query: Float32Array, count: number, only?: readonly number[]): number[] {
    const places = only?.flatMap((document) => this.#places.get(document) ?? []);
    const best = new HighestScores(count);
    if (places === undefined) {
      this.#addScores(best, query, 0, this.size);
    } else {
      for (const place of places) this.#addScores(best, query, place, place + 1);
    }
    return best.inOrder().map((place) => this.#documents[place] ?? 0);
  }

  #addScores(best: HighestScores, query: Float32Array, from: number, to: number): void {
    const scales = this.#scales;
    let { least } = best;
    this.#bytes.multiply(query, from, to, (product, place) => {
      const score = product * (scales[place] ?? 0);
      if (score <= least) return;
      best.add(place, score);
      least = best.least;
    });
  }

  async #readOn(executor: Executor): Promise<void> {
    const turns = new TimeSlice();
    for (;;) {
      if (turns.isOver) await turns.yieldToOthers();
      const rows = await executor.all(
        sql`select id, document, vector from text_vector where graph = ${this.#graph} and space = ${this.#space} and id > ${this.#lastId} order by id limit ${batchSize}`,
      );
      for (const row of rows) this.#set(readNumber(row, 'document'), readVector(row));
      const last = rows.at(-1);
      if (last !== undefined) this.#lastId = readNumber(last, 'id');
      if (rows.length < batchSize) return;
    }
  }

  #set(document: number, vector: Float32Array): void {
    const place = this.#places.get(document) ?? this.#places.size;
    this.#places.set(document, place);
    if (place >= this.#scales.length) this.#grow();
    this.#documents[place] = document;
    this.#scales[place] = this.#bytes.put(place, vector).largest / 127;
  }

  #grow(): void {
    const capacity = this.#scales.length * 2;
    this.#documents = copyInto(new Float64Array(capacity), this.#documents);
    this.#scales = copyInto(new Float32Array(capacity), this.#scales);
  }
}

function copyInto<T extends Float64Array | Float32Array>(larger: T, before: T): T {
  larger.set(before);
  return larger;
}
