import type { NodeSpec } from '../engine/specs.js';
import type { EdgeImportRecord } from '../engine/write/import-records.js';
import type { Provenance } from '../model/provenance.js';
import type { ImportInput, ImportSample } from './import-input.js';
import type { ColumnMapping } from './table/column-mapping.js';

/** Where in the input something is. */
export interface ImportPlace {
  /** Only if the input is a folder: the path from there. */
  readonly file?: string;
  /** Counted from 1. */
  readonly line: number;
}

export interface ImportedNode extends NodeSpec, ImportPlace {
  readonly kind: 'node';
  /** Parts of the input that have no place in the node. */
  readonly leftOut?: () => readonly string[];
}

export interface ImportedEdge extends EdgeImportRecord, ImportPlace {
  readonly kind: 'edge';
  readonly leftOut?: () => readonly string[];
}

export interface UnreadableImport extends ImportPlace {
  readonly kind: 'unreadable';
  /** Completes the sentence "line 7 …". */
  readonly reason: string;
}

export type ImportItem = ImportedNode | ImportedEdge | UnreadableImport;

/** A kind of file or folder that can be imported. */
export interface ImportFormat {
  /** As `--from` names it. */
  readonly kind: string;
  readonly title: string;
  /** What it can say and a graph cannot, one phrase each. */
  readonly losses: readonly string[];
  /** From 0, certainly not, to 1. */
  recognise(sample: ImportSample): number;
  /** For tables: what becomes of each column, shown before anything is read. */
  explain?(input: ImportInput, options: ImportReadOptions): Promise<readonly string[]>;
  /** Streams; the same input gives the same items every time. */
  read(input: ImportInput, options: ImportReadOptions): AsyncIterable<ImportItem>;
}

export interface ImportReadOptions {
  /** What users said of some columns of a table. */
  readonly mapping: ColumnMapping;
}

/** Says where a fact comes from, such as `{source: 'people.csv:7', extraction_method: 'import:csv'}`. */
export function importOrigin(kind: string, source: string, time?: unknown): Provenance {
  const updated = isoTime(time);
  return {
    source,
    extraction_method: `import:${kind}`,
    ...(updated === undefined ? {} : { last_updated: updated }),
  };
}

/** A time without a zone, as Python and SQLite write those that are UTC. */
const withoutZone = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?$/;

/** Seconds or milliseconds since 1970, or a date as text; undefined if it is neither. The same on every machine. */
export function isoTime(time: unknown): string | undefined {
  const isNumber = typeof time === 'number' || (typeof time === 'string' && /^\d+(\.\d+)?$/.test(time));
  if (!isNumber && typeof time !== 'string') return undefined;
  const value = Number(time);
  const text = String(time).trim();
  const date = isNumber
    ? new Date(value > 1e11 ? value : value * 1000)
    : new Date(withoutZone.test(text) ? `${text.replace(' ', 'T')}Z` : text);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}
