import { TimeSlice } from './time-slice.js';

/** Shorter lists are done at once: yielding would cost more. */
const syncLimit = 200;
/** So many are sorted at once: about a millisecond. */
const sortedAtOnce = 2_000;

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

export async function filterYielding<T>(items: Iterable<T>, wanted: (item: T) => boolean): Promise<T[]> {
  const kept: T[] = [];
  await forEachYielding(items, (item) => {
    if (wanted(item)) kept.push(item);
  });
  return kept;
}

export async function flatMapYielding<T, U>(
  items: Iterable<T>,
  make: (item: T) => readonly U[],
): Promise<U[]> {
  const made: U[] = [];
  await forEachYielding(items, (item) => {
    made.push(...make(item));
  });
  return made;
}

/** `items.toSorted(compare)`, yielding to others if the list is long. */
export function sortYielding<T>(items: readonly T[], compare: (a: T, b: T) => number): T[] | Promise<T[]> {
  return items.length <= sortedAtOnce ? [...items].sort(compare) : sortLongList(items, compare);
}

/** Sorts parts of the list and merges them two by two. */
async function sortLongList<T>(items: readonly T[], compare: (a: T, b: T) => number): Promise<T[]> {
  const slice = new TimeSlice();
  let parts: T[][] = [];
  for (let at = 0; at < items.length; at += sortedAtOnce) {
    if (slice.isOver) await slice.yieldToOthers();
    parts.push(items.slice(at, at + sortedAtOnce).sort(compare));
  }
  while (parts.length > 1) {
    const merged: T[][] = [];
    for (let at = 0; at < parts.length; at += 2)
      merged.push(await mergeSorted(parts[at] ?? [], parts[at + 1] ?? [], compare, slice));
    parts = merged;
  }
  return parts[0] ?? [];
}

async function mergeSorted<T>(
  first: T[],
  second: T[],
  compare: (a: T, b: T) => number,
  slice: TimeSlice,
): Promise<T[]> {
  const [last, next] = [first.at(-1), second[0]];
  // Most long lists are nearly in order.
  if (last === undefined || next === undefined || compare(last, next) <= 0) return first.concat(second);
  const merged: T[] = [];
  let [a, b] = [0, 0];
  while (merged.length < first.length + second.length) {
    if (slice.isOver) await slice.yieldToOthers();
    // Equal ones stay in their order.
    const takesFirst =
      b === second.length || (a < first.length && compare(first[a] as T, second[b] as T) <= 0);
    merged.push((takesFirst ? first[a++] : second[b++]) as T);
  }
  return merged;
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
