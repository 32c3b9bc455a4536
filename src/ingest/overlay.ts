import type { Json, Props } from '../model/json.js';

/** Properties with others put over them; null takes one away. */
export function overlay(below: Props, above: Props): Props {
  const merged = new Map<string, Json>(Object.entries(below));
  for (const [key, value] of Object.entries(above)) {
    if (value === null) merged.delete(key);
    else merged.set(key, value);
  }
  return Object.fromEntries(merged);
}
