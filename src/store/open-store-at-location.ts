import { TrellisError } from '../model/error.js';
import type { Store } from './store-contract.js';
import type { StoreOptions } from './store-options.js';

/** The kind of store a location names: a path ending in `.db`, `.jsonl` or `.json`, or a `postgres://` URL. */
export function storeKind(location: string): Store['kind'] {
  if (/\.jsonl?$/i.test(location)) return 'jsonl';
  if (/\.db$/i.test(location)) return 'sqlite';
  if (/^postgres(ql)?:\/\//i.test(location)) return 'postgres';
  throw new TrellisError('USAGE', `Cannot tell what kind of store ${JSON.stringify(location)} is.`, {
    hint: 'Use a path that ends in .db (SQLite), in .jsonl or .json (JSON lines), or a postgres:// URL.',
  });
}

export async function openStoreAtLocation(location: string, options: StoreOptions = {}): Promise<Store> {
  switch (storeKind(location)) {
    case 'jsonl': {
      const { openJsonlStore } = await import('./jsonl/jsonl-store.js');
      return openJsonlStore(location, options);
    }
    case 'sqlite': {
      const { openSqliteStore } = await import('./sqlite/sqlite-store.js');
      return openSqliteStore(location, options);
    }
    case 'postgres': {
      const { openPostgresStore } = await import('./postgres/postgres-store.js');
      return openPostgresStore(location, options);
    }
  }
}
