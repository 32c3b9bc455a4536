import { chunksOf } from '../../../../bounds/chunks.js';
import { TimeSlice } from '../../../../bounds/time-slice.js';
import { TrellisError } from '../../../../model/error.js';
import type { Json } from '../../../../model/json.js';
import { queryLimits } from '../../../../model/limits.js';
import type { PropertyOperand } from '../../../row-query.js';
import type { SqlRow } from '../../executor.js';
import type { VersionedTable } from '../../lineage.js';
import { readNumber, readText } from '../../rows.js';
import { and, raw, sql } from '../../sql.js';
import { searchedJson } from '../condition-sql.js';
import type { QueryFragment } from '../parameter-slots.js';
import { SqlScope } from '../sql-scope.js';
import type { TextReadContext } from './text-length-cache.js';

/** Rows whose texts are in memory at a time. */
const batchSize = 2_000;

export interface RowFilter {
  readonly rows?: readonly number[] | undefined;
  /** Only rows of later commits. */
  readonly bornAfter?: number;
  /** Only rows of these nodes. */
  readonly nodes?: readonly number[];
  /** What else to read of a row. */
  readonly columns?: readonly string[];
  condition?(json: QueryFragment): QueryFragment;
}

/** Calls `show` with the property of each row, read in batches. */
export async function forEachValue(
  reading: TextReadContext,
  operand: PropertyOperand,
  wanted: RowFilter,
  show: (row: number, value: Json, columns: SqlRow) => void,
): Promise<void> {
  const { executor, dialect, lineage } = reading;
  const { scope, alias, table } = operandTable(reading, operand);
  const json = searchedJson(scope, operand);
  const holds = wanted.condition?.(json) ?? raw('true');
  const rows = await variableRows(reading, operand, wanted);
  const columns = raw((wanted.columns ?? []).map((column) => `, ${alias}.${column}`).join(''));
  const turns = new TimeSlice();
  // By row numbers: paging by the last row would make SQLite read all rows for every batch.
  for (const some of chunksOf(rows, batchSize)) {
    const portion = dialect.inList(`${alias}.row`, 'integer', some);
    const statement =
      scope.bind(sql`select ${raw(alias)}.row as found, ${json} as json${columns} from ${raw(table)} ${raw(alias)}
      where ${portion} and ${raw(alias)}.graph = ${lineage.graph} and ${json} is not null and ${holds}`);
    for (const row of await executor.all(statement, { adHoc: true })) {
      // Handling values may take long: a statement lets others have a turn, or cancels the read.
      if (turns.isOver) {
        await turns.yieldToOthers();
        await executor.all(sql`select 1 as here`);
      }
      show(readNumber(row, 'found'), JSON.parse(readText(row, 'json')), row);
    }
  }
}

function operandTable({ lineage, dialect }: TextReadContext, { of, variable }: PropertyOperand) {
  const scope = new SqlScope(lineage, dialect);
  const table: VersionedTable = of === 'edge' ? 'edge_row' : 'node_row';
  return { scope, alias: scope.alias(variable), table };
}

async function variableRows(
  reading: TextReadContext,
  operand: PropertyOperand,
  { rows: given, bornAfter, nodes }: RowFilter,
): Promise<readonly number[]> {
  const { executor, dialect, variables } = reading;
  const { scope, alias, table } = operandTable(reading, operand);
  const where = [scope.visible(table, alias)];
  if (given !== undefined) where.push(dialect.inList(`${alias}.row`, 'integer', given));
  if (bornAfter !== undefined) where.push(sql`${raw(alias)}.born > ${bornAfter}`);
  if (nodes !== undefined) where.push(dialect.inList(`${alias}.node`, 'integer', nodes));
  const types = variables.nodes.get(operand.variable)?.types ?? null;
  const edge = variables.edges.get(operand.variable);
  if (table === 'node_row') where.push(raw(`${alias}.stub = 0`));
  if (types !== null) where.push(dialect.inList(`${alias}.type`, 'text', types));
  if (edge !== undefined) where.push(sql`${raw(alias)}.type = ${edge.edge}`);
  const statement = sql`select ${raw(alias)}.row as found from ${raw(table)} ${raw(alias)} where ${and(where)}`;
  return (await executor.all(statement, { adHoc: true })).map((row) => readNumber(row, 'found'));
}

export function tooManyTextsError(): TrellisError {
  return new TrellisError(
    'LIMIT_EXCEEDED',
    `More than ${queryLimits.textRows} rows match the search words.`,
    {
      hint: 'Search for rarer words.',
      details: { limit: queryLimits.textRows },
    },
  );
}
