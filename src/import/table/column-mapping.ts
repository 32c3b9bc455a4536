import { TrellisError } from '../../model/error.js';
import { didYouMean } from '../../model/nearest.js';

/** What the column of a table, or the key of a JSON object, becomes. */
export const plainFields = [
  ...(['name', 'type', 'summary', 'tags', 'observation', 'props', 'prop'] as const),
  ...(['from', 'to', 'relation', 'weight', 'key', 'skip'] as const),
];

/** One of the plain fields; `prop:NAME`; or `edge:TYPE`, where the value names another node. */
export type ColumnField = string;

export type ColumnMapping = ReadonlyMap<string, ColumnField>;

/** Reads `title=name` and the like. */
export function parseMapping(given: readonly string[]): ColumnMapping {
  return new Map(given.flatMap((list) => list.split(',')).map(parsePair));
}

function parsePair(pair: string): [string, ColumnField] {
  const at = pair.lastIndexOf('=');
  const field = pair.slice(at + 1);
  if (at > 0 && (plainFields.some((known) => known === field) || /^(prop|edge):./.test(field)))
    return [pair.slice(0, at), field];
  throw new TrellisError('USAGE', `--map ${pair} does not say what a column becomes.`, {
    hint: `Write COLUMN=FIELD, where FIELD is one of ${plainFields.join(', ')}, prop:NAME or edge:TYPE.`,
  });
}

type Guess = readonly [field: ColumnField, columns: readonly string[]];

/** For each field, the names that columns usually have, likeliest first. */
const edgeGuesses: readonly Guess[] = [
  ['from', ['from', 'source', 'subject', 'start']],
  ['to', ['to', 'target', 'object', 'end']],
  ['relation', ['relation', 'relationtype', 'edgetype', 'relationship', 'predicate', 'type', 'label']],
  ['weight', ['weight']],
  ['key', ['key']],
  ['props', ['props']],
];

const nodeGuesses: readonly Guess[] = [
  ['name', ['name', 'title', 'label', 'entity', 'id']],
  ['type', ['type', 'entitytype', 'nodetype', 'kind', 'category', 'class']],
  ['summary', ['summary', 'description', 'abstract']],
  ['tags', ['tags', 'labels', 'keywords']],
  ['props', ['props', 'properties']],
];

const observationColumns = new Set([
  ...['observations', 'observation', 'notes', 'note', 'facts', 'fact'],
  ...['content', 'text', 'body', 'metadata', 'comment', 'comments'],
]);

/** What was given, and for the rest what its names suggest; every other column is a property. */
export function guessMapping(columns: readonly string[], given: ColumnMapping): ColumnMapping {
  const mapping = new Map([...given].filter(([column]) => columns.includes(column)));
  const fields = new Set(mapping.values());
  const assign = (guesses: readonly Guess[]) => {
    for (const [field, names] of guesses) {
      if (fields.has(field)) continue;
      const column = names
        .map((name) => columns.find((each) => !mapping.has(each) && plain(each) === name))
        .find((each) => each !== undefined);
      if (column !== undefined) mapping.set(column, field);
    }
  };
  assign(isEdgeTable(columns, mapping) ? edgeGuesses : nodeGuesses);
  for (const column of columns)
    if (!mapping.has(column))
      mapping.set(column, observationColumns.has(plain(column)) ? 'observation' : 'prop');
  return mapping;
}

function isEdgeTable(columns: readonly string[], given: ColumnMapping): boolean {
  const fields = new Set(given.values());
  if (fields.has('from') || fields.has('to')) return true;
  if (fields.has('name')) return false;
  return edgeGuesses
    .slice(0, 2)
    .every(([, names]) => columns.some((column) => names.includes(plain(column))));
}

function plain(column: string): string {
  return column.toLowerCase().replaceAll(/[\s_-]/g, '');
}

export function checkMappedColumns(given: ColumnMapping, columns: readonly string[]): void {
  const unknown = [...given.keys()].find((column) => !columns.includes(column));
  if (unknown === undefined) return;
  throw new TrellisError('INVALID_ARGUMENT', `There is no column ${JSON.stringify(unknown)}.`, {
    hint: `The columns are: ${columns.join(', ')}.${didYouMean(unknown, columns)}`,
  });
}

export function describeMapping(mapping: ColumnMapping): string {
  return [...mapping].map(([column, field]) => `${column}=${field}`).join(', ');
}
