import type { Cell, RowQuery, RowQueryExpression } from '../../row-query.js';
import type { SqlRow, SqlValue } from '../executor.js';
import { emptySql, joinSql, raw, sql } from '../sql.js';
import { type AggregateSql, aggregateOfGroups, aggregateSql, type NameExpression } from './aggregate-sql.js';
import { aliased } from './aliased.js';
import type { BlockSql } from './block-compiler.js';
import { type ColumnSql, columnSql, edgeEndTypes, orderTerms, tieBreakers } from './column-sql.js';
import { termOf } from './condition-sql.js';
import type { QueryFragment } from './parameter-slots.js';
import type { SqlScope } from './sql-scope.js';

export interface SelectSql {
  readonly statement: QueryFragment;
  readonly isSingleUse: boolean;
  /** See BlockSql. */
  readonly walk: QueryFragment | null;
  read(row: SqlRow): Cell[];
}

export function selectSql(scope: SqlScope, query: RowQuery, block: BlockSql, limit: number): SelectSql {
  const answer = new SelectedColumns();
  const { select, tail } = query.grouped
    ? groupedSelect(scope, query, answer)
    : plainSelect(scope, query, answer);
  const ctes = [...block.ctes, ...scoreTables(scope)];
  const from = sql`${fromSql(block, scope)} where ${block.where}`;
  const body = select(from);
  const before = ctes.length === 0 ? emptySql : sql`with recursive ${joinSql(ctes, ', ')} `;
  return {
    // Not a parameter: SQLite plans by it, and would plan again for every value.
    statement: sql`${before}${body}${tail} limit ${raw(String(limit))}`,
    isSingleUse: scope.isSingleUse,
    walk: block.walk,
    read: (row) => answer.read(row),
  };
}

interface SelectParts {
  select(from: QueryFragment): QueryFragment;
  readonly tail: QueryFragment;
}

class SelectedColumns {
  readonly expressions: QueryFragment[] = [];
  readonly #names: string[] = [];
  readonly #cells: { readonly from: number; readonly to: number; cell(values: readonly SqlValue[]): Cell }[] =
    [];

  add({ values, cell }: Pick<ColumnSql, 'values' | 'cell'>): void {
    const from = this.expressions.length;
    for (const value of values) {
      this.#names.push(`c${this.expressions.length}`);
      this.expressions.push(value);
    }
    this.#cells.push({ from, to: this.expressions.length, cell });
  }

  get list(): QueryFragment {
    return this.expressions.length === 0 ? raw('1 as c0') : aliased(this.expressions, 'c');
  }

  read(row: SqlRow): Cell[] {
    const values = this.#names.map((name) => row[name] ?? null);
    return this.#cells.map(({ from, to, cell }) => cell(values.slice(from, to)));
  }
}

function plainSelect(scope: SqlScope, query: RowQuery, answer: SelectedColumns): SelectParts {
  const columnOf = (expression: RowQuery['columns'][number]['expression']) => {
    if (expression.kind === 'aggregate') throw new TypeError('An aggregate needs a grouped query.');
    return columnSql(scope, expression);
  };
  for (const { expression } of query.columns) answer.add(columnOf(expression));
  const keys = query.order.flatMap(({ expression, descending }) => {
    const { order, scored } = columnOf(expression);
    return orderTerms(order(), descending, scored);
  });
  const order = joinSql([...keys, ...orderTerms(tieBreakers(scope, query), false)], ', ');
  return {
    select: (from) => sql`select ${answer.list} ${from}`,
    tail: order.sql === '' ? raw('') : sql` order by ${order}`,
  };
}

/** An inner select names what groups and aggregates need: expressions with parameters never compare as equal. */
function groupedSelect(scope: SqlScope, query: RowQuery, answer: SelectedColumns): SelectParts {
  const asked: QueryFragment[] = [];
  const ask = (expression: QueryFragment) => {
    asked.push(expression);
    return raw(`q.a${asked.length - 1}`);
  };
  const groups: QueryFragment[] = [];
  const orders = new Map<string, Ordering>();
  const ties: QueryFragment[] = [];
  const aggregates = new Map<string, AggregateSql>();
  const aggregate = (expression: Extract<RowQueryExpression, { kind: 'aggregate' }>) => {
    const key = JSON.stringify(expression);
    const made = aggregates.get(key) ?? aggregateOf(scope, expression, ask);
    aggregates.set(key, made);
    return made;
  };
  const least = (expression: QueryFragment) => sql`min(${ask(expression)})`;
  for (const { expression } of query.columns) {
    if (expression.kind === 'aggregate') {
      answer.add(aggregate(expression));
      continue;
    }
    const column = columnSql(scope, expression);
    const own = column.group.map(ask);
    groups.push(...own);
    answer.add({
      values: column.values === column.group ? own : column.values.map(least),
      cell: column.cell,
    });
    const order = column.groupOrder === undefined ? column.order().map(least) : column.groupOrder(own);
    ties.push(...orderTerms(order, false, column.scored));
    orders.set(JSON.stringify(expression), { order, scored: column.scored });
  }
  for (const { expression } of query.columns) {
    if (expression.kind === 'edge')
      ties.push(...orderTerms(edgeEndTypes(scope, query, expression.variable).map(least), false));
  }
  const keys = query.order.flatMap(({ expression, descending }) => {
    const { order, scored } =
      expression.kind === 'aggregate'
        ? { ...aggregate(expression), scored: false }
        : (orders.get(JSON.stringify(expression)) ?? minOf(columnSql(scope, expression), least));
    return orderTerms(order, descending, scored);
  });
  const order = joinSql([...keys, ...ties], ', ');
  const by = groups.length === 0 ? raw('') : sql` group by ${joinSql(groups, ', ')}`;
  return {
    select(from) {
      const inner = asked.length === 0 ? raw('1 as a0') : aliased(asked, 'a');
      return sql`select ${answer.list} from (select ${inner} ${from}${raw(scope.queryDialect.optimizationFence)}) q`;
    },
    tail: sql`${by}${order.sql === '' ? raw('') : sql` order by ${order}`}`,
  };
}

function aggregateOf(
  scope: SqlScope,
  { fn, of }: Extract<RowQueryExpression, { kind: 'aggregate' }>,
  ask: NameExpression,
): AggregateSql {
  const { rowGroups } = scope;
  const term = 'type' in of ? { term: termOf(scope, of), type: of.type } : null;
  return rowGroups === null
    ? aggregateSql(scope, fn, term, ask)
    : aggregateOfGroups(scope, rowGroups, fn, term, ask);
}

interface Ordering {
  readonly order: readonly QueryFragment[];
  readonly scored: boolean;
}

function minOf({ order, scored }: ColumnSql, least: (expression: QueryFragment) => QueryFragment): Ordering {
  return { order: order().map(least), scored };
}

function fromSql({ items }: BlockSql, scope: SqlScope): QueryFragment {
  const tables = [...scope.scoreTables].flatMap(([score, table]) =>
    score.kind === 'bm25'
      ? [` left join ${table} on ${table}.row = ${scope.alias(score.operand.variable)}.row`]
      : [],
  );
  const from = items.length === 0 ? raw('(select 1) as nothing') : joinSql(items, ' cross join ');
  return sql`from ${from}${raw(tables.join(''))}`;
}

function scoreTables(scope: SqlScope): QueryFragment[] {
  return [...scope.scoreTables].map(([score, table]) => {
    const scores = scope.matches.scores.get(score)?.byRow ?? new Map<number, number>();
    const places = ranksOf(scores);
    const tuples = scope.dialect.tuples(
      { row: 'integer', place: 'integer' },
      [...scores].map(([row, value]) => [row, places.get(value) ?? 0]),
    );
    return sql`${raw(table)} as materialized (select cast(t.row as bigint) as row, cast(t.place as bigint) as place from ${tuples} t)`;
  });
}

/** The rank of each score; the worst is 1. Databases compare ranks, since each rounds floats in its own way. */
function ranksOf(scores: ReadonlyMap<number, number>): ReadonlyMap<number, number> {
  const distinct = [...new Set(scores.values())].sort((a, b) => a - b);
  return new Map(distinct.map((score, index) => [score, index + 1]));
}
