import { isRecord } from '../../model/is-record.js';
import { type ImportFormat, importOrigin } from '../import-format.js';
import { type ImportInput, readHead, sourceName } from '../import-input.js';
import { jsonRecords, sampleRecords } from '../json/json-records.js';
import { type ColumnMapping, checkMappedColumns, describeMapping, guessMapping } from './column-mapping.js';
import { defaultRelation, rowItems, tableType } from './table-row.js';

/** An array of objects, an object with such arrays, or a JSON object on each line. */
export const jsonTable: ImportFormat = {
  kind: 'json',
  title: 'an array of JSON objects, an object with such arrays, or JSON lines; see --map',
  losses: [],
  recognise: ({ isFolder, head }) =>
    !isFolder && sampleRecords(head).some(({ value }) => isRecord(value)) ? 0.2 : 0,
  async explain(input, { mapping: given }) {
    const tables = await sampleTables(input);
    checkMappedColumns(given, [...tables.values()].flat());
    return [...tables].map(([key, columns]) => {
      const table = key === '' ? sourceName(input) : `${sourceName(input)} ${key}`;
      return `${table}: ${describeMapping(guessMapping(columns, given))}`;
    });
  },
  async *read(input, { mapping: given }) {
    const source = sourceName(input);
    const mappings = new Map<string, ColumnMapping>();
    for (const [key, columns] of await sampleTables(input)) mappings.set(key, guessMapping(columns, given));
    for await (const { key = '', line, value, problem } of jsonRecords(input)) {
      const place = { line };
      if (problem !== undefined) yield { kind: 'unreadable', ...place, reason: problem };
      else if (isRecord(value)) {
        const mapping = mappings.get(key) ?? guessMapping(Object.keys(value), given);
        mappings.set(key, mapping);
        const origin = importOrigin('json', `${source}:${line}`);
        const defaults = { type: tableType(key === '' ? source : key), relation: defaultRelation };
        yield* rowItems({ place, origin, cells: value }, mapping, defaults);
      } else if (key === '') yield { kind: 'unreadable', ...place, reason: 'is not a JSON object' };
    }
  },
};

/** The keys of the first objects of each array. */
async function sampleTables(input: ImportInput): Promise<Map<string, string[]>> {
  const tables = new Map<string, string[]>();
  for (const { key = '', value } of sampleRecords(await readHead(input.path))) {
    if (!isRecord(value)) continue;
    const columns = tables.get(key) ?? [];
    tables.set(key, columns);
    for (const column of Object.keys(value)) if (!columns.includes(column)) columns.push(column);
  }
  return tables;
}
