import type { Json, Props } from './json.js';

/** Sets properties; null removes one. */
export function patchProps(below: Props, above: Props): Props {
  if (isEmpty(below) && !removesAny(above)) return above;
  const merged = new Map<string, Json>(Object.entries(below));
  for (const [key, value] of Object.entries(above)) {
    if (value === null) merged.delete(key);
    else merged.set(key, value);
  }
  return Object.fromEntries(merged);
}

function removesAny(props: Props): boolean {
  for (const key in props) if (props[key] === null) return true;
  return false;
}

function isEmpty(props: Props): boolean {
  for (const _ in props) return false;
  return true;
}
