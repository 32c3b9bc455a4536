import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject } from 'vitest';
import { defaultGraph } from '../../src/model/graph-record.js';
import { compileGraphSchema } from '../../src/schema/enforce/compile-graph-schema.js';
import { openStoreAtLocation } from '../../src/store/open-store-at-location.js';
import type { Store } from '../../src/store/store-contract.js';
import { borrowDatabase, borrowWithTables, keepsTables } from './borrowed-database.js';

/** A kind of store, and where it puts its data. */
export interface StoreKind {
  readonly kind: Store['kind'];
  place(): Promise<{ path: string; remove(): Promise<void> }>;
}

export const sqlite: StoreKind = { kind: 'sqlite', place: () => inFolder('memory.db') };

export const jsonl: StoreKind = { kind: 'jsonl', place: () => inFolder('memory.jsonl') };

export const postgres: StoreKind = {
  kind: 'postgres',
  async place() {
    const { url, giveBack } = await borrowDatabase();
    return { path: url, remove: giveBack };
  },
};

/** Every kind that the string surfaces run on; for `describe.each`. */
export const storeKinds: readonly StoreKind[] = [
  sqlite,
  jsonl,
  ...(inject('postgres').everywhere ? [postgres] : []),
];

/** Those that hold any number of graphs with branches, schemas and vectors, which a file of JSON lines does not. */
export const databaseKinds: readonly StoreKind[] = storeKinds.filter(({ kind }) => kind !== 'jsonl');

/** A store in a place of its own. */
export interface Scratch {
  readonly path: string;
  readonly store: Store;
  /** Closes the store and opens the same place again. */
  reopen(): Promise<Store>;
  /** Closes the store and removes the place. */
  dispose(): Promise<void>;
}

export async function scratchStore({ kind, place }: StoreKind): Promise<Scratch> {
  const { path, remove } = kind === 'postgres' && keepsTables ? await placeWithTables() : await place();
  if (kind === 'sqlite') await writeFile(path, await emptyDatabase());
  let store = await openWithGraph(path);
  return {
    path,
    get store() {
      return store;
    },
    async reopen() {
      await store.close();
      store = await openWithGraph(path);
      return store;
    },
    async dispose() {
      await store.close();
      await remove();
    },
  };
}

async function placeWithTables(): Promise<{ path: string; remove(): Promise<void> }> {
  const { url, giveBack } = await borrowWithTables(async (empty) => {
    const store = await openWithGraph(empty);
    await store.close();
  });
  return { path: url, remove: giveBack };
}

let kept: Promise<Buffer> | undefined;

/** A SQLite database with its tables, whose copies are sooner there than one that makes them. */
function emptyDatabase(): Promise<Buffer> {
  kept ??= makeEmptyDatabase();
  return kept;
}

async function makeEmptyDatabase(): Promise<Buffer> {
  const { path, remove } = await sqlite.place();
  const store = await openWithGraph(path);
  await store.close();
  const bytes = await readFile(path);
  await remove();
  return bytes;
}

async function inFolder(file: string): Promise<{ path: string; remove(): Promise<void> }> {
  const folder = await scratchFolder();
  return { path: join(folder, file), remove: () => rm(folder, { recursive: true, force: true }) };
}

export function scratchFolder(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'trellis-test-'));
}

export async function openWithGraph(path: string): Promise<Store> {
  const store = await openStoreAtLocation(path, { compileGraphSchema });
  const graphs = await store.graphs();
  if (!graphs.some(({ name }) => name === defaultGraph)) await store.createGraph(defaultGraph);
  return store;
}
