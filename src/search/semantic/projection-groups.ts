import type { TimeSlice } from '../../bounds/time-slice.js';
import type { VectorTable } from './vector-table.js';

/** An integer from 0 to below the given one. */
type Random = (below: number) => number;

interface ProjectionOptions {
  /** How often all vectors are grouped anew. */
  readonly times: number;
  /** The size of a group at most. */
  readonly size: number;
  readonly slice: TimeSlice;
}

/** Enough numbers of a vector to decide on which side of a cut it lies. */
const maxAxes = 128;

/**
 * Splits the vectors in half again and again, each time between two random ones, until the groups are small: vectors
 * near to each other mostly end up together. Deterministic, so that the same graph gives the same result.
 */
export async function* projectionGroups(
  table: VectorTable,
  { times, size, slice }: ProjectionOptions,
): AsyncGenerator<Uint32Array> {
  const random = randomFrom(1);
  for (let time = 0; time < times; time++) {
    const waiting: Uint32Array[] = [Uint32Array.from({ length: table.size }, (_, place) => place)];
    for (let places = waiting.pop(); places !== undefined; places = waiting.pop()) {
      if (slice.isOver) await slice.yieldToOthers();
      if (places.length <= size) yield places;
      else waiting.push(...halves(table, places, random));
    }
  }
}

function halves(table: VectorTable, places: Uint32Array, random: Random): readonly Uint32Array[] {
  const [from, to] = [places[random(places.length)] ?? 0, places[random(places.length)] ?? 0];
  const count = Math.min(maxAxes, table.dimension);
  const distances = table.project(places, from, to, { first: random(table.dimension - count + 1), count });
  const half = places.length >> 1;
  const sorted = distances.toSorted();
  const middle = sorted[half] ?? 0;
  // Of vectors on the cut itself, the first go to the nearer half.
  let room = half - sorted.subarray(0, half).findLastIndex((distance) => distance < middle) - 1;
  const near = new Uint32Array(half);
  const far = new Uint32Array(places.length - half);
  let [nearer, farther] = [0, 0];
  for (let index = 0; index < places.length; index++) {
    const distance = distances[index] ?? 0;
    const isNear = distance < middle || (distance === middle && room-- > 0);
    if (isNear) near[nearer++] = places[index] ?? 0;
    else far[farther++] = places[index] ?? 0;
  }
  return [near, far];
}

function randomFrom(seed: number): Random {
  let state = seed;
  return (below) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % below;
  };
}
