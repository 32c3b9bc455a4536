import { TimeSlice } from './time-slice.js';

/** Nodes or edges held in memory at a time. */
export const readChunkSize = 1_000;

/** Rows written at a time: a database on this thread takes one time slice or two for them. */
export const writeChunkSize = 250;

export function chunksOf<T>(items: readonly T[], size: number = readChunkSize): T[][] {
  const chunks: T[][] = [];
  for (let at = 0; at < items.length; at += size) chunks.push(items.slice(at, at + size));
  return chunks;
}

/** Chunks of a list that need not be in memory. */
export function* iterateChunks<T>(items: Iterable<T>, size: number = readChunkSize): Generator<T[]> {
  let chunk: T[] = [];
  for (const item of items) {
    chunk.push(item);
    if (chunk.length < size) continue;
    yield chunk;
    chunk = [];
  }
  if (chunk.length > 0) yield chunk;
}

/**
 * Each item with what was looked up for it. The look-up of an item begins before the one before it is used: a database
 * elsewhere answers meanwhile.
 */
export async function* lookUpAhead<T, F>(
  items: Iterable<T>,
  lookUp: (item: T) => Promise<F>,
): AsyncGenerator<readonly [item: T, found: F]> {
  let ahead: readonly [item: T, found: Promise<F>] | undefined;
  for (const item of items) {
    const found = lookUp(item);
    // If the caller gives up, nobody waits for it.
    found.catch(() => {});
    if (ahead !== undefined) yield [ahead[0], await ahead[1]];
    ahead = [item, found];
  }
  if (ahead !== undefined) yield [ahead[0], await ahead[1]];
}

/** Reads a short list at once, and a longer one in chunks, yielding to others in between. */
export function readInChunks<K, R>(
  keys: readonly K[],
  read: (some: readonly K[]) => Promise<R[]>,
  size: number = readChunkSize,
): Promise<R[]> {
  return keys.length <= size ? read(keys) : readChunks(chunksOf(keys, size), read);
}

async function readChunks<K, R>(
  chunks: readonly (readonly K[])[],
  read: (some: readonly K[]) => Promise<R[]>,
): Promise<R[]> {
  const slice = new TimeSlice();
  const found: R[] = [];
  for (const some of chunks) {
    if (slice.isOver) await slice.yieldToOthers();
    for (const item of await read(some)) found.push(item);
  }
  return found;
}

export function putInChunks<T, R>(
  items: readonly T[],
  put: (some: readonly T[]) => Promise<R[]>,
): Promise<R[]> {
  return readInChunks(items, put, writeChunkSize);
}

/** Writes a list in chunks, yielding to others in between. */
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
