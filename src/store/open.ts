import { TrellisError } from '../model/error.js';
import type { Store } from './contract.js';
import type { StoreOptions } from './options.js';

/** Opens the store a location names: a path ending in `.db`, `.jsonl` or `.json`, or a `postgres://` URL. */
export async function openStore(location: string, options: StoreOptions = {}): Promise<Store> {
  if (/\.jsonl?$/i.test(location)) {
    const { openJsonlStore } = await import('./jsonl/jsonl-store.js');
    return openJsonlStore(location, options);
  }
  if (/\.db$/i.test(location)) {
    const { openSqliteStore } = await import('./sqlite/sqlite-store.js');
    return openSqliteStore(location, options);
  }
  if (/^postgres(ql)?:\/\//i.test(location)) {
    const { openPostgresStore } = await import('./postgres/postgres-store.js');
    return openPostgresStore(location, options);
  }
  throw new TrellisError('USAGE', `Cannot tell what kind of store ${JSON.stringify(location)} is.`, {
    hint: 'Use a path that ends in .db (SQLite), in .jsonl or .json (JSON lines), or a postgres:// URL.',
  });
}
