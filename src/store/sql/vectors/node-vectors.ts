import { chunksOf } from '../../../bounds/chunks.js';
import { TimeSlice } from '../../../bounds/time-slice.js';
import type { VectorSpace } from '../../vector-store.js';
import type { ReadContext } from '../dialect.js';
import type { SqlRow } from '../executor.js';
import { visible } from '../lineage.js';
import { readNumber } from '../rows.js';
import { sql } from '../sql.js';
import { readVector, readVectorBytes } from './text-vectors.js';

/** Vectors in memory at a time. */
const batchSize = 2_000;

/** The vectors of some nodes, one after the other. */
export interface NodeVectors {
  readonly dimension: number;
  readonly nodes: readonly number[];
  readonly vectors: Float32Array<ArrayBuffer>;
}

export function* eachVector({
  dimension,
  nodes,
  vectors,
}: NodeVectors): Generator<readonly [node: number, vector: Float32Array]> {
  for (const [at, node] of nodes.entries())
    yield [node, vectors.subarray(at * dimension, (at + 1) * dimension)];
}

export interface ReadSpace extends Pick<VectorSpace, 'dimension'> {
  readonly space: number;
}

/**
 * The sums of the vectors of each node's observations, without nodes that have none.
 * @param newest Vectors that were added after this one are left out.
 */
export async function sumVectors(
  reads: ReadContext,
  { space, dimension }: ReadSpace,
  nodes: readonly number[],
  newest = Number.MAX_SAFE_INTEGER,
): Promise<NodeVectors> {
  const seen = visible('observation_row', 'r', reads.lineage);
  const rows =
    nodes.length === 0
      ? []
      : await reads.executor.all(
          sql`select r.node, r.row * 2 + 1 as document from observation_row r
            where ${reads.dialect.inList('r.node', 'integer', nodes)} and (${seen}) order by r.node, r.ordinal`,
        );
  const sums = new VectorSums(dimension, Math.min(nodes.length, rows.length));
  const turns = new TimeSlice();
  for (const portion of chunksOf(rows, batchSize)) {
    const documents = portion.map((row) => readNumber(row, 'document'));
    const vectors = await readVectors(reads, space, documents, newest, readVectorBytes);
    for (const row of portion) {
      if (turns.isOver) await turns.yieldToOthers();
      const vector = vectors.get(readNumber(row, 'document'));
      if (vector !== undefined) sums.add(readNumber(row, 'node'), vector);
    }
  }
  return sums.result();
}

export function vectorsOf(
  reads: ReadContext,
  space: number,
  documents: readonly number[],
): Promise<Map<number, Float32Array>> {
  return readVectors(reads, space, documents, Number.MAX_SAFE_INTEGER, readVector);
}

async function readVectors<T>(
  { executor, dialect, lineage }: ReadContext,
  space: number,
  documents: readonly number[],
  newest: number,
  read: (row: SqlRow) => T,
): Promise<Map<number, T>> {
  const list = dialect.inList('v.document', 'integer', documents);
  const rows = await executor.all(
    sql`select v.document, v.vector from text_vector v where v.graph = ${lineage.graph} and v.space = ${space}
      and v.id <= ${newest} and ${list}`,
  );
  return new Map(rows.map((row) => [readNumber(row, 'document'), read(row)]));
}

/** Adds up the vectors of one node after the other, where they are needed in the end: copies would cost as much as reading. */
class VectorSums {
  readonly #nodes: number[] = [];
  readonly #dimension: number;
  readonly #all: Float32Array<ArrayBuffer>;
  readonly #bytes: Uint8Array;
  readonly #added: Float32Array;

  constructor(dimension: number, most: number) {
    this.#dimension = dimension;
    this.#all = new Float32Array(most * dimension);
    this.#bytes = new Uint8Array(this.#all.buffer);
    this.#added = new Float32Array(dimension);
  }

  result(): NodeVectors {
    const [dimension, nodes] = [this.#dimension, this.#nodes];
    return { dimension, nodes, vectors: this.#all.subarray(0, nodes.length * dimension) };
  }

  add(node: number, bytes: Uint8Array): void {
    const length = this.#added.byteLength;
    if (this.#nodes.at(-1) !== node) {
      this.#bytes.set(bytes.subarray(0, length), this.#nodes.length * length);
      this.#nodes.push(node);
      return;
    }
    this.#added.fill(0);
    new Uint8Array(this.#added.buffer).set(bytes.subarray(0, length));
    const start = (this.#nodes.length - 1) * this.#dimension;
    for (const [axis, value] of this.#added.entries())
      this.#all[start + axis] = (this.#all[start + axis] ?? 0) + value;
  }
}
