import { LruCache } from '../../bounds/lru-cache.js';
import type { Keys } from '../gate-target.js';

const maxKnown = 10_000;
/** Longer keys are rare, and would need much memory. */
const maxLength = 500;

/**
 * Which nodes a gate has seen lately, so that it looks for these before it writes, and creates others at once. A wrong
 * guess costs a query, nothing else.
 */
export class KnownKeys {
  readonly #seen = new LruCache<true>(maxKnown);

  has(label: string, keys: Keys): boolean {
    return this.#seen.get(textOf(label, keys)) !== undefined;
  }

  add(label: string, keys: Keys): void {
    const text = textOf(label, keys);
    if (text.length <= maxLength) this.#seen.set(text, true);
  }
}

function textOf(label: string, keys: Keys): string {
  return JSON.stringify([label, keys]);
}
