import { randomBytes } from 'node:crypto';
import { link, rename, rm } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import { TrellisError } from '../model/error.js';
import type { Store } from '../store/store-contract.js';
import { isThere } from './is-there.js';
import { openLocation } from './open-location.js';
import { isUrl } from './paths.js';
import type { Location } from './settings.js';

/**
 * Changes a store. A database that is not there yet is made under another name and takes its own once the work is done,
 * so that work that fails leaves none behind; a file of JSON lines is made by its first commit anyway.
 */
export async function changeStore<T>(location: Location, work: (store: Store) => Promise<T>): Promise<T> {
  const { path } = location;
  if (isUrl(path) || !/\.db$/i.test(path) || (await isThere(path))) return using(location, work);
  const name = `${basename(path, extname(path))}.${randomBytes(6).toString('hex')}.tmp.db`;
  const temporary = join(dirname(path), name);
  try {
    const result = await using({ ...location, path: temporary }, work);
    await publish(temporary, path);
    return result;
  } catch (error) {
    throw renamed(error, temporary, path);
  } finally {
    for (const rest of ['', '-wal', '-shm']) await rm(`${temporary}${rest}`, { force: true });
  }
}

async function using<T>(location: Location, work: (store: Store) => Promise<T>): Promise<T> {
  const store = await openLocation(location);
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

/** An error about a store, by the name that its user gave it. */
function renamed(error: unknown, temporary: string, path: string): unknown {
  if (!(error instanceof TrellisError)) return error;
  const { code, message, hint, details, cause } = error;
  return new TrellisError(code, message.replaceAll(temporary, path), {
    ...(hint === undefined ? {} : { hint: hint.replaceAll(temporary, path) }),
    ...(details === undefined ? {} : { details }),
    cause,
  });
}

/** Gives a file its name, unless another process has made one of that name meanwhile. */
async function publish(temporary: string, path: string): Promise<void> {
  try {
    await link(temporary, path);
  } catch (error) {
    if (await isThere(path)) {
      throw new TrellisError('STORE_UNAVAILABLE', `${path} was made by another process meanwhile.`, {
        hint: 'Nothing was written. Run the command again.',
        cause: error,
      });
    }
    // Some file systems know no links.
    await rename(temporary, path);
  }
}
