/** What stands between key and value in metadata (seed 9.1). */
const separator = ': ';

/** The key and the value of an entry, split at the first `: `. */
export interface MetadataEntry {
  readonly key: string;
  readonly value: string;
}

/** Reads `Key: value`; undefined if it is text without a key. */
export function parseMetadataEntry(fact: string): MetadataEntry | undefined {
  const at = fact.indexOf(separator);
  return at === -1 ? undefined : { key: fact.slice(0, at), value: fact.slice(at + separator.length) };
}

export function formatMetadataEntry(key: string, value: string): string {
  return `${key}${separator}${value}`;
}

/** A value as metadata holds it: lists are joined (seed 3.2). */
export function metadataValue(value: string | number | boolean | readonly string[] | null): string {
  if (value === null) return '';
  return typeof value === 'object' ? value.join(', ') : String(value);
}
