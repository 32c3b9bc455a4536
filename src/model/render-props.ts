import type { Json } from './json.js';
import type { PropsWithProvenance } from './provenance.js';

/** A property as the string surfaces show it. */
export interface ShownProp {
  readonly key: string;
  /** `key: value`. */
  readonly text: string;
}

/** A longer list of numbers is a vector, which says nothing to who reads it, and would bury what does. */
const maxListedNumbers = 32;

/**
 * The properties that the string surfaces show after the observations: all but those that are the node's key, which its
 * name tells already, those whose name begins with `_`, which are marks rather than facts, and vectors.
 */
export function shownProps({ props, provenance }: PropsWithProvenance): ShownProp[] {
  const keys = new Set(provenance?.merge_keys);
  return Object.entries(props)
    .filter(([key, value]) => !key.startsWith('_') && !keys.has(key) && !isVector(value))
    .map(([key, value]) => ({ key, text: renderProp(key, value) }));
}

/** The shown properties as texts. */
export function renderProps(node: PropsWithProvenance): string[] {
  return shownProps(node).map(({ text }) => text);
}

function renderProp(key: string, value: Json): string {
  return `${key}: ${typeof value === 'string' ? value : JSON.stringify(value)}`;
}

function isVector(value: Json): boolean {
  return (
    Array.isArray(value) && value.length > maxListedNumbers && value.every((item) => typeof item === 'number')
  );
}
