import type { Props } from './json.js';
import { compareText } from './order.js';

/**
 * The text of a key, which is the name of the node that has it: of a single property its value, of several a JSON list of
 * their values, in the order of the key.
 */
export function keyText(key: readonly string[], props: Props): string {
  const values = key.map((name) => (Object.hasOwn(props, name) ? (props[name] ?? null) : null));
  const [only] = values;
  return values.length === 1 && only !== undefined ? String(only) : JSON.stringify(values);
}

/** A text that no other key has, whatever its properties are called: for a name that another node bears already. */
export function qualifiedKeyText(key: readonly string[], props: Props): string {
  return [...key]
    .sort(compareText)
    .map((name) => {
      const value = Object.hasOwn(props, name) ? props[name] : null;
      return `${quoteIfNeeded(name)}=${typeof value === 'string' ? quoteIfNeeded(value) : JSON.stringify(value)}`;
    })
    .join(', ');
}

/** Quoted, if it would otherwise be taken for something else: a number, a boolean, or two keys. */
function quoteIfNeeded(text: string): string {
  const isPlain =
    text === text.trim() && !/[",=\p{C}]/u.test(text) && !/^(true|false|null|[-\d].*)$/.test(text);
  return isPlain ? text : JSON.stringify(text);
}
