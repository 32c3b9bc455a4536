import { formatMetadataEntry, parseMetadataEntry } from '../../schema/mesh/metadata/metadata-entry.js';

/** Metadata entries, `Key: Value` (seed 9.2). */
// biome-ignore lint/complexity/noStaticOnlyClass: library users call it as the seed describes it.
export class MetadataProcessor {
  /** Splits at the first `: `; of an entry without one, all is key. */
  static parseEntry(entry: string): { key: string; value: string } {
    const { key, value } = parseMetadataEntry(entry) ?? { key: entry, value: '' };
    return { key, value };
  }

  static formatEntry(key: string, value: string): string {
    return formatMetadataEntry(key, value);
  }

  /** Values by key; of a repeated key, the last. */
  static createMap(metadata: readonly string[]): Map<string, string> {
    return new Map(
      metadata.map((entry) => {
        const { key, value } = MetadataProcessor.parseEntry(entry);
        return [key, value];
      }),
    );
  }

  /** All entries of all lists, each once, in order. */
  static merge(...arrays: readonly (readonly string[])[]): string[] {
    return [...new Set(arrays.flat())];
  }

  /** The first value of a key, or null. */
  static getValue(metadata: readonly string[], key: string): string | null {
    const [first] = MetadataProcessor.filterByKey(metadata, key);
    return first === undefined ? null : MetadataProcessor.parseEntry(first).value;
  }

  /** All entries with a key. */
  static filterByKey(metadata: readonly string[], key: string): string[] {
    return metadata.filter((entry) => MetadataProcessor.parseEntry(entry).key === key);
  }
}
