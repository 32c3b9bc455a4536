import { TrellisError } from '../../model/error.js';
import type { Json } from '../../model/json.js';
import { csvLine } from '../../transfer/formats/csv-format.js';
import { pluralize } from '../print.js';
import { formatTable } from './format-table.js';

export type RowFormat = (columns: readonly string[], rows: readonly (readonly Json[])[]) => string;

const formats: Readonly<Record<string, RowFormat>> = {
  table: (columns, rows) => `${formatTable(columns, rows)}\n${pluralize(rows.length, 'row')}\n`,
  csv: (columns, rows) => [[...columns], ...rows].map(csvLine).join(''),
  json: (columns, rows) =>
    `${JSON.stringify(
      rows.map((row) => Object.fromEntries(columns.map((column, index) => [column, row[index] ?? null]))),
    )}\n`,
  markdown: (columns, rows) =>
    [columns.map(markdownCell), columns.map(() => '---'), ...rows.map((row) => row.map(markdownCell))]
      .map((cells) => `| ${cells.join(' | ')} |\n`)
      .join(''),
};

export function parseRowFormat(name = 'table'): RowFormat {
  const format = Object.hasOwn(formats, name) ? formats[name] : undefined;
  if (format !== undefined) return format;
  throw new TrellisError('USAGE', `There is no format named ${JSON.stringify(name)}.`, {
    hint: `Use one of: ${Object.keys(formats).join(', ')}.`,
  });
}

/** Nothing in a cell ends it or becomes markup. */
function markdownCell(value: Json): string {
  if (value === null) return '';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.replaceAll(/[\\`*_[\]<>|~]/g, '\\$&').replaceAll(/\r\n?|\n/g, '<br>');
}
