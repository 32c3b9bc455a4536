import type { TimeSlice } from '../../bounds/time-slice.js';
import type { VectorTable } from './vector-table.js';

/** A number from 0 on, below the given one. */
type Random = (below: number) => number;

interface ProjectionOptions {
  /** How often all places are cut anew. */
  readonly times: number;
  /** The most places in one neighbourhood. */
  readonly size: number;
  readonly slice: TimeSlice;
}

/** Numbers of a vector that decide on which side of a cut it lies: enough to tell, of however many it has. */
const maxAxes = 128;

/**
 * Cuts the places of a table in half again and again, each time between two of them taken at random, until few enough are
 * left together: what is near to each other mostly is. All are about as large, however alike the vectors are. They are
 * always cut the same way, so that the same graph gives the same answer.
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
  // Of those that lie on the cut, the first go to the nearer half.
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
