import { TimeSlice } from './time-slice.js';

/** A list of up to this many items is done at once: waiting for anything costs more. */
const syncLimit = 200;

/** Visits each item, and lets others have their turns meanwhile. */
export async function forEachYielding<T>(items: Iterable<T>, visit: (item: T) => void): Promise<void> {
  const slice = new TimeSlice();
  for (const item of items) {
    if (slice.isOver) await slice.yieldToOthers();
    visit(item);
  }
}

/** `items.map(make)`: at once if there are few, else letting others have their turns meanwhile. */
export function mapYielding<T, U>(items: readonly T[], make: (item: T) => U): U[] | Promise<U[]> {
  return items.length <= syncLimit ? items.map((item) => make(item)) : mapLongList(items, make);
}

/** `items.filter(wanted)`, in the same way. */
export async function filterYielding<T>(items: readonly T[], wanted: (item: T) => boolean): Promise<T[]> {
  const kept: T[] = [];
  await forEachYielding(items, (item) => {
    if (wanted(item)) kept.push(item);
  });
  return kept;
}

async function mapLongList<T, U>(items: readonly T[], make: (item: T) => U): Promise<U[]> {
  const made: U[] = [];
  const slice = new TimeSlice();
  // What comes before, such as reading these items, has mostly taken a turn of its own.
  await slice.yieldToOthers();
  for (const item of items) {
    if (slice.isOver) await slice.yieldToOthers();
    made.push(make(item));
  }
  return made;
}
