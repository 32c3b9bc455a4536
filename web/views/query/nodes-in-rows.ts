import type { Values } from './query-api.js';

/** Each is a request. */
const mostNodes = 60;

/** The names of the whole nodes that a query returned, such as `$p` in `return { $p }`. */
export function nodesInRows(rows: readonly Values[]): readonly string[] {
  const names = rows.flatMap((row) => Object.values(row).flatMap((value) => nodeName(value) ?? []));
  return [...new Set(names)].slice(0, mostNodes);
}

function nodeName(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || !('@id' in value)) return undefined;
  return typeof value['@id'] === 'string' ? value['@id'] : undefined;
}
