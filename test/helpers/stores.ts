import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defaultGraph } from '../../src/model/graph.js';
import type { Store } from '../../src/store/contract.js';
import { openStore } from '../../src/store/open.js';

/** A kind of store, by the name of the file it makes. */
export interface StoreKind {
  readonly kind: 'sqlite' | 'jsonl';
  readonly file: string;
}

/** Every kind that the string surfaces run on; for `describe.each`. */
export const storeKinds: readonly StoreKind[] = [
  { kind: 'sqlite', file: 'memory.db' },
  { kind: 'jsonl', file: 'memory.jsonl' },
];

/** A store in a folder of its own. */
export interface Scratch {
  readonly path: string;
  readonly store: Store;
  /** Closes the store and opens the same file again. */
  reopen(): Promise<Store>;
  /** Closes the store and removes the folder. */
  dispose(): Promise<void>;
}

export async function scratchStore({ file }: StoreKind): Promise<Scratch> {
  const folder = await scratchFolder();
  const path = join(folder, file);
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
      await rm(folder, { recursive: true, force: true });
    },
  };
}

export function scratchFolder(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'trellis-test-'));
}

export async function openWithGraph(path: string): Promise<Store> {
  const store = await openStore(path);
  const graphs = await store.graphs();
  if (!graphs.some(({ name }) => name === defaultGraph)) await store.createGraph(defaultGraph);
  return store;
}
