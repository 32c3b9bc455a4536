import type { Json, Props } from './json.js';

/** Properties as the string surfaces show them after the observations: `key: value`, one each. */
export function renderProps(props: Props): string[] {
  return Object.entries(props).map(([key, value]) => renderProp(key, value));
}

export function renderProp(key: string, value: Json): string {
  return `${key}: ${typeof value === 'string' ? value : JSON.stringify(value)}`;
}
