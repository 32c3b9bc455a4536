const separator = ': ';

/** Split at the first `: `. */
export interface MetadataEntry {
  readonly key: string;
  readonly value: string;
}

/** Undefined for text without a key. */
export function parseMetadataEntry(fact: string): MetadataEntry | undefined {
  const at = fact.indexOf(separator);
  return at === -1 ? undefined : { key: fact.slice(0, at), value: fact.slice(at + separator.length) };
}

export function formatMetadataEntry(key: string, value: string): string {
  return `${key}${separator}${value}`;
}

export function metadataValue(value: string | number | boolean | readonly string[] | null): string {
  if (value === null) return '';
  return typeof value === 'object' ? value.join(', ') : String(value);
}
