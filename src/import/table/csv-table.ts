import { basename } from 'node:path';
import {
  type ImportFormat,
  type ImportItem,
  type ImportReadOptions,
  importOrigin,
} from '../import-format.js';
import { type ImportInput, inputPath, readBytes, readHead, sourceName } from '../import-input.js';
import { checkMappedColumns, describeMapping, guessMapping } from './column-mapping.js';
import { type CsvRecord, guessDelimiter, readCsv } from './read-csv.js';
import { defaultRelation, rowItems, tableType } from './table-row.js';

const isTable = (path: string) => /\.(csv|tsv)$/i.test(path);

/** A file with a header, or a folder of such files, such as `trellis export --format csv` writes. */
export const csvTable: ImportFormat = {
  kind: 'csv',
  title: 'a table with a header, or a folder of tables; see --map',
  losses: [],
  recognise: ({ fileName, isFolder, paths }) => {
    if (!isFolder) return isTable(fileName) ? 0.8 : 0;
    return paths.some(isTable) && paths.every(isTable) ? 0.8 : 0;
  },
  async explain(input, options) {
    const lines: string[] = [];
    const columns: string[] = [];
    for (const file of tableFiles(input)) {
      const header = await firstRecord(input, file);
      const names = header?.cells.map(columnName) ?? [];
      columns.push(...names);
      lines.push(`${sourceName(input, file)}: ${describeMapping(guessMapping(names, options.mapping))}`);
    }
    checkMappedColumns(options.mapping, columns);
    return lines;
  },
  async *read(input, options) {
    for (const file of tableFiles(input)) yield* readTable(input, file, options);
  },
};

/** Nodes before edges, so that few stubs are needed. */
function tableFiles({ files }: ImportInput): readonly (string | undefined)[] {
  if (files === undefined) return [undefined];
  const tables = files.map(({ path }) => path).filter(isTable);
  const isEdges = (path: string) => /(edge|relation|link)s?\./i.test(basename(path));
  return [...tables.filter((path) => !isEdges(path)), ...tables.filter(isEdges)];
}

async function* openTable(input: ImportInput, file: string | undefined): AsyncGenerator<CsvRecord> {
  yield* readCsv(readBytes(input, file), guessDelimiter(await readHead(inputPath(input, file))));
}

async function firstRecord(input: ImportInput, file: string | undefined): Promise<CsvRecord | undefined> {
  for await (const record of openTable({ ...input, onBytes: () => {} }, file)) return record;
  return undefined;
}

async function* readTable(
  input: ImportInput,
  file: string | undefined,
  { mapping: given }: ImportReadOptions,
): AsyncGenerator<ImportItem> {
  const source = sourceName(input, file);
  const defaults = { type: tableType(file ?? source), relation: defaultRelation };
  let columns: readonly string[] | undefined;
  let mapping = given;
  for await (const { line, cells, problem } of openTable(input, file)) {
    const place = { line, ...(file === undefined ? {} : { file }) };
    if (problem !== undefined) yield { kind: 'unreadable', ...place, reason: problem };
    else if (columns === undefined) {
      columns = cells.map(columnName);
      mapping = guessMapping(columns, given);
      if (new Set(columns).size === columns.length) continue;
      yield { kind: 'unreadable', ...place, reason: 'names a column twice' };
      return;
    } else if (cells.length !== columns.length) {
      const reason = `has ${cells.length} cells; the header has ${columns.length}`;
      yield { kind: 'unreadable', ...place, reason };
    } else {
      const row = Object.fromEntries(columns.map((column, index) => [column, cells[index] ?? null]));
      const origin = importOrigin('csv', `${source}:${line}`);
      yield* rowItems({ place, origin, cells: typedCells(row, mapping) }, mapping, defaults);
    }
  }
}

function columnName(cell: string | null, index: number): string {
  return cell?.replace(/^\ufeff/, '').trim() || `column ${index + 1}`;
}

/** Numbers and truth values among the properties; a text such as 007 stays a text. */
function typedCells(
  row: Readonly<Record<string, string | null>>,
  mapping: ReadonlyMap<string, string>,
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(row).map(([column, cell]) => {
      if (cell === null || !/^prop(:|$)/.test(mapping.get(column) ?? '')) return [column, cell];
      if (cell === 'true' || cell === 'false') return [column, cell === 'true'];
      return [column, Number.isFinite(Number(cell)) && String(Number(cell)) === cell ? Number(cell) : cell];
    }),
  );
}
