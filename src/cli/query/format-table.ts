import type { Json } from '../../model/json.js';
import { printable, quoteForTerminal } from '../history/printable.js';

/** Longer cells are cut; --json prints them whole. */
const maxColumnWidth = 60;

export function formatTable(columns: readonly string[], rows: readonly (readonly Json[])[]): string {
  const cells = [columns.map(printable), ...rows.map((row) => row.map(cellOf))];
  const widths = columns.map((_, index) =>
    Math.min(maxColumnWidth, Math.max(...cells.map((line) => widthOf(line[index] ?? '')))),
  );
  const line = (texts: readonly string[]) =>
    texts
      .map((text, index) => padded(text, widths[index] ?? 0))
      .join('  ')
      .trimEnd();
  const [head = [], ...body] = cells;
  return [line(head), widths.map((width) => '-'.repeat(width)).join('  '), ...body.map(line)].join('\n');
}

function cellOf(value: Json): string {
  if (value === null) return '';
  return typeof value === 'string' ? printable(value) : quoteForTerminal(value);
}

function padded(text: string, width: number): string {
  const characters = [...text];
  const shown = characters.length > width ? `${characters.slice(0, width - 1).join('')}…` : text;
  return shown + ' '.repeat(Math.max(0, width - widthOf(shown)));
}

function widthOf(text: string): number {
  return [...text].length;
}
