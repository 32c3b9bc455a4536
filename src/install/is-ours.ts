import { isRecord } from '../model/is-record.js';

/** Whether an entry starts or calls Trellis, in any client's shape. */
export function isOurs(entry: unknown): boolean {
  if (!isRecord(entry)) return false;
  const words = [entry['command'], entry['cmd'], entry['args']]
    .flat()
    .filter((word) => typeof word === 'string');
  if (words.length === 0) return isAddress(entry);
  return words.some((word) => /(^|[\\/])trellis(-memory|\.js|\.cmd)?(@[^\\/]*)?$/.test(word));
}

/** Nothing tells whose address it is but the path. */
function isAddress(entry: Readonly<Record<string, unknown>>): boolean {
  return ['url', 'serverUrl', 'httpUrl', 'uri'].some(
    (key) => typeof entry[key] === 'string' && /\/mcp(\?|$)/.test(entry[key]),
  );
}
