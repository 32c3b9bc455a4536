import { isRecord } from '../../model/is-record.js';
import type { ImportFormat, ImportItem, ImportPlace } from '../import-format.js';
import { filesOf, headsOf, type ImportInput, sourceName } from '../import-input.js';
import { jsonRecords } from '../json/json-records.js';

/** An item of an export, with where it is. */
export interface ExportedItem {
  /** The array it is in; empty if the document is the array. */
  readonly key: string;
  readonly value: Readonly<Record<string, unknown>>;
  readonly place: ImportPlace;
  readonly source: string;
}

interface JsonExport extends Pick<ImportFormat, 'kind' | 'title' | 'losses'> {
  /** The files in a folder; a single file may have any name. */
  readonly files: RegExp;
  recognises(head: string): boolean;
  /** A reader for one file, called with its items in order; undefined if an item is not what it should be. */
  reader(input: ImportInput, file: string | undefined): Promise<ReadItem> | ReadItem;
}

export type ReadItem = (item: ExportedItem) => readonly ImportItem[] | undefined;

/** A JSON document, or JSON lines, that a product exports. */
export function jsonExport({ kind, title, losses, files, recognises, reader }: JsonExport): ImportFormat {
  return {
    ...{ kind, title, losses },
    recognise: (sample) => (headsOf(sample, files).some(recognises) ? 0.85 : 0),
    async *read(input) {
      for (const file of filesOf(input, files)) {
        const read = await reader(input, file);
        for await (const { key = '', line, value, problem } of jsonRecords(input, file)) {
          const place = { line, ...(file === undefined ? {} : { file }) };
          const source = `${sourceName(input, file)}:${line}`;
          if (problem !== undefined) yield { kind: 'unreadable', ...place, reason: problem };
          else if (isRecord(value)) {
            const items = read({ key, value, place, source });
            if (items !== undefined) yield* items;
            else yield { kind: 'unreadable', ...place, reason: `is not a memory of ${kind}` };
          } else if (key === '') yield { kind: 'unreadable', ...place, reason: 'is not a JSON object' };
        }
      }
    },
  };
}
