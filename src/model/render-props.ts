import type { Json } from './json.js';
import type { Described } from './provenance.js';

/** A property as the string surfaces show it. */
export interface ShownProp {
  readonly key: string;
  /** `key: value`. */
  readonly text: string;
}

/**
 * The properties that the string surfaces show after the observations: all but those that are the node's key, which its
 * name tells already, and those whose name begins with `_`, which are marks rather than facts.
 */
export function shownProps({ props, provenance }: Described): ShownProp[] {
  const keys = new Set(provenance?.merge_keys);
  return Object.entries(props)
    .filter(([key]) => !key.startsWith('_') && !keys.has(key))
    .map(([key, value]) => ({ key, text: renderProp(key, value) }));
}

/** The shown properties as texts. */
export function renderProps(node: Described): string[] {
  return shownProps(node).map(({ text }) => text);
}

function renderProp(key: string, value: Json): string {
  return `${key}: ${typeof value === 'string' ? value : JSON.stringify(value)}`;
}
