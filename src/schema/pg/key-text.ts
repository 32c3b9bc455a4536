import type { Props } from '../../model/json.js';

/**
 * The text of a key, from properties in canonical form: of a single property its value, of several a JSON array. Values
 * that mean the same have the same canonical form, so they make the same text.
 */
export function keyText(key: readonly string[], props: Props): string {
  const values = key.map((name) => (Object.hasOwn(props, name) ? (props[name] ?? null) : null));
  const [only] = values;
  return values.length === 1 && only !== undefined ? String(only) : JSON.stringify(values);
}
