import { compareText } from '../model/order.js';
import type { Keys } from './target.js';

/** The name a node gets from its key: of a single key its value, of several `first=Ada, last=Lovelace`, sorted. */
export function keyText(keys: Keys): string {
  const entries = Object.entries(keys);
  const [only] = entries;
  return only !== undefined && entries.length === 1 ? String(only[1]) : qualifiedKeyText(keys);
}

/** A text that no other keys have: for a name that another node bears already. */
export function qualifiedKeyText(keys: Keys): string {
  return Object.entries(keys)
    .sort(([a], [b]) => compareText(a, b))
    .map(([name, value]) => `${plainly(name)}=${typeof value === 'string' ? plainly(value) : value}`)
    .join(', ');
}

/** Quoted, if it would otherwise be taken for something else: a number, a boolean, or two keys. */
function plainly(text: string): string {
  const isPlain = text === text.trim() && !/[",=\p{C}]/u.test(text) && !/^(true|false|[-\d].*)$/.test(text);
  return isPlain ? text : JSON.stringify(text);
}
