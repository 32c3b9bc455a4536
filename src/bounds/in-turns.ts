import { Turns } from './turns.js';

/** A list of up to this many items is done at once: waiting for anything costs more. */
const doneAtOnce = 200;

/** Visits each item, and lets others have their turns meanwhile. */
export async function inTurns<T>(items: Iterable<T>, visit: (item: T) => void): Promise<void> {
  const turns = new Turns();
  for (const item of items) {
    if (turns.due) await turns.give();
    visit(item);
  }
}

/** `items.map(make)`: at once if there are few, else letting others have their turns meanwhile. */
export function mapInTurns<T, U>(items: readonly T[], make: (item: T) => U): U[] | Promise<U[]> {
  return items.length <= doneAtOnce ? items.map((item) => make(item)) : mapMany(items, make);
}

/** `items.filter(wanted)`, in the same way. */
export async function filterInTurns<T>(items: readonly T[], wanted: (item: T) => boolean): Promise<T[]> {
  const kept: T[] = [];
  await inTurns(items, (item) => {
    if (wanted(item)) kept.push(item);
  });
  return kept;
}

async function mapMany<T, U>(items: readonly T[], make: (item: T) => U): Promise<U[]> {
  const made: U[] = [];
  const turns = new Turns();
  // What comes before, such as reading these items, has mostly taken a turn of its own.
  await turns.give();
  for (const item of items) {
    if (turns.due) await turns.give();
    made.push(make(item));
  }
  return made;
}
