import type { Props } from './json.js';
import { compareText } from './order.js';

/**
 * The text of a key, which names its node: the value of a single property, or a JSON list of the values of several.
 */
export function keyText(key: readonly string[], props: Props): string {
  const values = key.map((name) => (Object.hasOwn(props, name) ? (props[name] ?? null) : null));
  const [only] = values;
  return values.length === 1 && only !== undefined ? String(only) : JSON.stringify(values);
}

/** A text that no other key has, such as `city=Ulm, year=1999`, for when another node already has the name. */
export function qualifiedKeyText(key: readonly string[], props: Props): string {
  return [...key]
    .sort(compareText)
    .map((name) => {
      const value = Object.hasOwn(props, name) ? props[name] : null;
      return `${quoteIfNeeded(name)}=${typeof value === 'string' ? quoteIfNeeded(value) : JSON.stringify(value)}`;
    })
    .join(', ');
}

/** Quotes what could be read as a number, a boolean or several keys. */
function quoteIfNeeded(text: string): string {
  const isPlain =
    text === text.trim() && !/[",=\p{C}]/u.test(text) && !/^(true|false|null|[-\d].*)$/.test(text);
  return isPlain ? text : JSON.stringify(text);
}
