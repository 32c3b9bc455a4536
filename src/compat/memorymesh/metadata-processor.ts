import { formatMetadataEntry, parseMetadataEntry } from '../../schema/mesh/metadata/metadata-entry.js';

// biome-ignore lint/complexity/noStaticOnlyClass: mirrors the MemoryMesh library.
export class MetadataProcessor {
  /** Splits at the first `: `; an entry without one is all key. */
  static parseEntry(entry: string): { key: string; value: string } {
    const { key, value } = parseMetadataEntry(entry) ?? { key: entry, value: '' };
    return { key, value };
  }

  static formatEntry(key: string, value: string): string {
    return formatMetadataEntry(key, value);
  }

  /** The last entry with a key wins. */
  static createMap(metadata: readonly string[]): Map<string, string> {
    return new Map(
      metadata.map((entry) => {
        const { key, value } = MetadataProcessor.parseEntry(entry);
        return [key, value];
      }),
    );
  }

  static merge(...arrays: readonly (readonly string[])[]): string[] {
    return [...new Set(arrays.flat())];
  }

  static getValue(metadata: readonly string[], key: string): string | null {
    const [first] = MetadataProcessor.filterByKey(metadata, key);
    return first === undefined ? null : MetadataProcessor.parseEntry(first).value;
  }

  static filterByKey(metadata: readonly string[], key: string): string[] {
    return metadata.filter((entry) => MetadataProcessor.parseEntry(entry).key === key);
  }
}
