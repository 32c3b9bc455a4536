import type { NearPairs } from '../find-near-pairs.js';

/** A change of what the numbers, or the bits of vectors, mean makes another format, which is not read. */
const format = 4;
/** Numbers before the lists. */
const headerLength = 13;

export interface PairLimits {
  readonly minScore: number;
  readonly most: number;
}

/** A search as it is saved; the pairs have no mean cosine, since that follows from the sum. */
export interface SavedSearch {
  readonly limits: PairLimits;
  readonly pairs: NearPairs;
  /** Pairs below this score are not known: too many were better. */
  readonly least: number;
  /** Pairs of which one node is lower were compared; undefined if all were. */
  readonly next: number | undefined;
}

/** What is saved of the pairs of a branch and a space, except for the bits of nodes. */
export interface SavedPairs {
  readonly dimension: number;
  readonly size: number;
  readonly sum: Float64Array;
  /** Nodes that were put or removed since the search began. */
  readonly changed: readonly number[];
  readonly search: SavedSearch | undefined;
}

/** As numbers of eight bytes: a header, then the lists. */
export function encodePairs({ dimension, size, sum, changed, search }: SavedPairs): Uint8Array<ArrayBuffer> {
  const { a, b, scores } = search?.pairs ?? { a: [], b: [], scores: [] };
  const header = [format, dimension, size, changed.length, scores.length];
  if (search !== undefined) {
    const { limits, least, next, pairs } = search;
    header.push(1, limits.minScore, limits.most, least, next === undefined ? 1 : 0, next ?? 0);
    header.push(pairs.comparedAll ? 1 : 0, pairs.cut ? 1 : 0);
  }
  const numbers = new Float64Array(headerLength + sum.length + changed.length + 3 * scores.length);
  numbers.set(header);
  let at = headerLength;
  for (const list of [sum, changed, a, b, scores]) {
    numbers.set(list, at);
    at += list.length;
  }
  return new Uint8Array(numbers.buffer);
}

/** Undefined if it is of another format, or damaged. */
export function decodePairs(bytes: Uint8Array): SavedPairs | undefined {
  if (bytes.byteLength % Float64Array.BYTES_PER_ELEMENT !== 0) return undefined;
  // Copied: the bytes of a driver may not be aligned.
  const numbers = new Float64Array(Uint8Array.from(bytes).buffer);
  const [made, dimension = 0, size = 0, changes = 0, pairs = 0, ...rest] = numbers.subarray(0, headerLength);
  if (made !== format || numbers.length !== headerLength + dimension + changes + 3 * pairs) return undefined;
  let at = headerLength;
  const take = (count: number) => {
    at += count;
    return numbers.slice(at - count, at);
  };
  const sum = take(dimension);
  const changed = [...take(changes)];
  const [a, b, scores] = [[...take(pairs)], [...take(pairs)], [...take(pairs)]];
  const [hasSearch, minScore = 0, most = 0, least = 0, isDone, next, comparedAll, cut] = rest;
  return {
    ...{ dimension, size, sum, changed },
    search:
      hasSearch === 0
        ? undefined
        : {
            ...{ limits: { minScore, most }, least, next: isDone === 1 ? undefined : next },
            pairs: {
              ...{ a, b, scores, meanCosine: 0, outOfTime: isDone === 0 },
              ...{ comparedAll: comparedAll === 1, cut: cut === 1 },
            },
          },
  };
}
