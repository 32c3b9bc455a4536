import { TrellisError } from '../model/error.js';
import type { Store } from './contract.js';
import type { StoreOptions } from './options.js';

/** Opens the store a location names: a path ending in `.db`, or in `.jsonl` or `.json`. */
export async function openStore(location: string, options: StoreOptions = {}): Promise<Store> {
  if (/\.jsonl?$/i.test(location)) {
    const { openJsonlStore } = await import('./jsonl/jsonl-store.js');
    return openJsonlStore(location, options);
  }
  if (/\.db$/i.test(location)) {
    const { openSqliteStore } = await import('./sqlite/sqlite-store.js');
    return openSqliteStore(location, options);
  }
  throw new TrellisError('USAGE', `Cannot tell what kind of store ${JSON.stringify(location)} is.`, {
    hint: 'Use a path that ends in .db (SQLite), or in .jsonl or .json (JSON lines).',
  });
}
