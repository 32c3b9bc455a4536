import { Turns } from './turns.js';

/** How many nodes or edges are held in memory at a time. */
export const portionSize = 1_000;

/** How many rows are written at a time: a database on this thread takes about a turn for them. */
export const writtenPortion = 250;

/** Cuts a list into portions of bounded size. */
export function portionsOf<T>(items: readonly T[], size: number = portionSize): T[][] {
  const portions: T[][] = [];
  for (let at = 0; at < items.length; at += size) portions.push(items.slice(at, at + size));
  return portions;
}

/** What `read` finds for all of a list: asked at once if it is short, else a portion at a time, giving others their turns. */
export function readInPortions<K, R>(
  keys: readonly K[],
  read: (some: readonly K[]) => Promise<R[]>,
  size: number = portionSize,
): Promise<R[]> {
  return keys.length <= size ? read(keys) : readPortions(portionsOf(keys, size), read);
}

async function readPortions<K, R>(
  portions: readonly (readonly K[])[],
  read: (some: readonly K[]) => Promise<R[]>,
): Promise<R[]> {
  const turns = new Turns();
  const found: R[] = [];
  for (const some of portions) {
    if (turns.due) await turns.give();
    for (const item of await read(some)) found.push(item);
  }
  return found;
}

/** What `put` answers for all of a list that is written, a portion at a time. */
export function putInPortions<T, R>(
  items: readonly T[],
  put: (some: readonly T[]) => Promise<R[]>,
): Promise<R[]> {
  return readInPortions(items, put, writtenPortion);
}

/** Writes a list: at once if it is short, else a portion at a time, giving others their turns. */
export async function writeInPortions<T>(
  items: readonly T[],
  write: (some: readonly T[]) => void | Promise<void>,
): Promise<void> {
  const turns = new Turns();
  for (const some of portionsOf(items, writtenPortion)) {
    if (turns.due) await turns.give();
    await write(some);
  }
}
