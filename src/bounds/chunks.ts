import { TimeSlice } from './time-slice.js';

/** How many nodes or edges are held in memory at a time. */
export const readChunkSize = 1_000;

/** How many rows are written at a time: a database on this thread takes about a turn for them. */
export const writeChunkSize = 250;

/** Cuts a list into portions of bounded size. */
export function chunksOf<T>(items: readonly T[], size: number = readChunkSize): T[][] {
  const portions: T[][] = [];
  for (let at = 0; at < items.length; at += size) portions.push(items.slice(at, at + size));
  return portions;
}

/** What `read` finds for all of a list: asked at once if it is short, else a portion at a time, giving others their turns. */
export function readInChunks<K, R>(
  keys: readonly K[],
  read: (some: readonly K[]) => Promise<R[]>,
  size: number = readChunkSize,
): Promise<R[]> {
  return keys.length <= size ? read(keys) : readChunks(chunksOf(keys, size), read);
}

async function readChunks<K, R>(
  portions: readonly (readonly K[])[],
  read: (some: readonly K[]) => Promise<R[]>,
): Promise<R[]> {
  const slice = new TimeSlice();
  const found: R[] = [];
  for (const some of portions) {
    if (slice.isOver) await slice.yieldToOthers();
    for (const item of await read(some)) found.push(item);
  }
  return found;
}

/** What `put` answers for all of a list that is written, a portion at a time. */
export function putInChunks<T, R>(
  items: readonly T[],
  put: (some: readonly T[]) => Promise<R[]>,
): Promise<R[]> {
  return readInChunks(items, put, writeChunkSize);
}

/** Writes a list: at once if it is short, else a portion at a time, giving others their turns. */
export async function writeInChunks<T>(
  items: readonly T[],
  write: (some: readonly T[]) => void | Promise<void>,
): Promise<void> {
  const slice = new TimeSlice();
  for (const some of chunksOf(items, writeChunkSize)) {
    if (slice.isOver) await slice.yieldToOthers();
    await write(some);
  }
}
