import { TimeSlice } from './time-slice.js';

/** Shorter lists are done at once: yielding would cost more. */
const syncLimit = 200;

export async function forEachYielding<T>(items: Iterable<T>, visit: (item: T) => void): Promise<void> {
  const slice = new TimeSlice();
  for (const item of items) {
    if (slice.isOver) await slice.yieldToOthers();
    visit(item);
  }
}

/** `items.map(make)`, yielding to others if the list is long. */
export function mapYielding<T, U>(items: readonly T[], make: (item: T) => U): U[] | Promise<U[]> {
  return items.length <= syncLimit ? items.map((item) => make(item)) : mapLongList(items, make);
}

export async function filterYielding<T>(items: readonly T[], wanted: (item: T) => boolean): Promise<T[]> {
  const kept: T[] = [];
  await forEachYielding(items, (item) => {
    if (wanted(item)) kept.push(item);
  });
  return kept;
}

export async function flatMapYielding<T, U>(
  items: readonly T[],
  make: (item: T) => readonly U[],
): Promise<U[]> {
  const made: U[] = [];
  await forEachYielding(items, (item) => {
    made.push(...make(item));
  });
  return made;
}

async function mapLongList<T, U>(items: readonly T[], make: (item: T) => U): Promise<U[]> {
  const made: U[] = [];
  const slice = new TimeSlice();
  // The caller has usually spent a slice on reading these items.
  await slice.yieldToOthers();
  for (const item of items) {
    if (slice.isOver) await slice.yieldToOthers();
    made.push(make(item));
  }
  return made;
}
