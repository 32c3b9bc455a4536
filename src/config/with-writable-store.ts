import { randomBytes } from 'node:crypto';
import { link, rename, rm } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import { TrellisError } from '../model/error.js';
import type { Store } from '../store/store-contract.js';
import { openConfiguredStore } from './open-configured-store.js';
import { pathExists } from './path-exists.js';
import { isUrl } from './paths.js';
import type { StoreLocation } from './settings.js';

/**
 * A new database is created under a temporary name until the work is done, so that failed work leaves none behind. A JSON
 * lines file is created by its first commit anyway.
 */
export async function withWritableStore<T>(
  location: StoreLocation,
  work: (store: Store) => Promise<T>,
): Promise<T> {
  const { path } = location;
  if (isUrl(path) || !/\.db$/i.test(path) || (await pathExists(path))) return withStoreAt(location, work);
  const name = `${basename(path, extname(path))}.${randomBytes(6).toString('hex')}.tmp.db`;
  const temporary = join(dirname(path), name);
  try {
    const result = await withStoreAt({ ...location, path: temporary }, work);
    await publishFile(temporary, path);
    return result;
  } catch (error) {
    throw errorWithPath(error, temporary, path);
  } finally {
    for (const rest of ['', '-wal', '-shm']) await rm(`${temporary}${rest}`, { force: true });
  }
}

async function withStoreAt<T>(location: StoreLocation, work: (store: Store) => Promise<T>): Promise<T> {
  const store = await openConfiguredStore(location);
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

/** Replaces the temporary path in an error. */
function errorWithPath(error: unknown, temporary: string, path: string): unknown {
  if (!(error instanceof TrellisError)) return error;
  const { code, message, hint, details, cause } = error;
  return new TrellisError(code, message.replaceAll(temporary, path), {
    ...(hint === undefined ? {} : { hint: hint.replaceAll(temporary, path) }),
    ...(details === undefined ? {} : { details }),
    cause,
  });
}

/** Fails if another process has created the file meanwhile. */
async function publishFile(temporary: string, path: string): Promise<void> {
  try {
    await link(temporary, path);
  } catch (error) {
    if (await pathExists(path)) {
      throw new TrellisError('STORE_UNAVAILABLE', `${path} was made by another process meanwhile.`, {
        hint: 'Nothing was written. Run the command again.',
        cause: error,
      });
    }
    // Some file systems have no links.
    await rename(temporary, path);
  }
}
