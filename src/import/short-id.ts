import { createHash } from 'node:crypto';

/** Eight characters that tell ids apart: the first of a random one, or a hash where many begin alike. */
export function shortId(id: string): string {
  const isShort = id.length <= 8 || /^[0-9a-f]{8}/i.test(id);
  return isShort ? id.slice(0, 8) : createHash('sha256').update(id).digest('hex').slice(0, 8);
}
