import { asTrellisError } from '../../model/error.js';

/** Not worth a report of background work: another process, which may write, does it. */
export function isReadOnlyError(error: unknown): boolean {
  return asTrellisError(error).code === 'STORE_READ_ONLY';
}
