import type { Json } from './json.js';
import type { PropsWithProvenance } from './provenance.js';

export interface ShownProp {
  readonly key: string;
  readonly text: string;
}

/** A longer list of numbers is a vector: useless to readers. */
const maxListedNumbers = 32;

/**
 * The properties that string surfaces show after the observations: all but the node's key (its name says that already),
 * names starting with `_`, and vectors.
 */
export function shownProps({ props, provenance }: PropsWithProvenance): ShownProp[] {
  const keys = new Set(provenance?.merge_keys);
  return Object.entries(props)
    .filter(([key, value]) => !key.startsWith('_') && !keys.has(key) && !isVector(value))
    .map(([key, value]) => ({ key, text: renderProp(key, value) }));
}

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
