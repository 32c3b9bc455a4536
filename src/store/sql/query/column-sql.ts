import type { Json, Props } from '../../../model/json.js';
import type { Cell, Operand, RowQuery, RowQueryExpression, Score, WholeRow } from '../../row-query.js';
import type { SqlValue } from '../executor.js';
import { joinSql, raw, sql } from '../sql.js';
import { cellFromKey } from './comparable.js';
import { termOf } from './condition-sql.js';
import { orderKeys, termJson } from './operand-sql.js';
import type { QueryFragment } from './parameter-slots.js';
import { operandSource, type SqlScope } from './sql-scope.js';

export interface ColumnSql {
  readonly values: readonly QueryFragment[];
  readonly group: readonly QueryFragment[];
  order(): readonly QueryFragment[];
  /** The same for a group, made of its `group` keys; default: of its rows. */
  groupOrder?(group: readonly QueryFragment[]): readonly QueryFragment[];
  /** A missing score is the worst, and comes last in either direction. */
  readonly scored: boolean;
  cell(values: readonly SqlValue[]): Cell;
}

export type PlainExpression = Exclude<RowQueryExpression, { kind: 'aggregate' }>;

export function columnSql(scope: SqlScope, expression: PlainExpression): ColumnSql {
  switch (expression.kind) {
    case 'property':
    case 'value':
    case 'truth':
    case 'block-aggregate':
      return operandColumn(scope, expression);
    case 'node':
      return nodeColumn(scope, expression);
    case 'edge':
      return edgeColumn(scope, expression);
    case 'nearest':
    case 'bm25':
    case 'rrf':
      return scoreColumn(scope, expression);
  }
}

function operandColumn(scope: SqlScope, operand: Operand): ColumnSql {
  const term = termOf(scope, operand);
  if (term.kind === 'given')
    return { values: [], group: [], order: () => [], scored: false, cell: () => term.value };
  if (term.kind === 'computed') {
    const { key, comparable } = term;
    return {
      values: [scope.queryDialect.readable(key, comparable)],
      group: [key],
      order: () => [key],
      groupOrder: (group) => group,
      scored: false,
      cell: ([value = null]) => cellFromKey(value, comparable),
    };
  }
  const values = [termJson(scope, term)];
  return {
    values,
    group: values,
    order: () => orderKeys(scope, term),
    scored: false,
    // Reads the JSON once per group instead of once per row.
    groupOrder: ([group = raw('null')]) =>
      orderKeys(
        scope,
        term.kind === 'text'
          ? { ...term, text: group }
          : { ...term, source: scope.queryDialect.document(group) },
      ),
    cell: term.kind === 'text' ? ([value = null]) => textCell(value) : ([value = null]) => jsonCell(value),
  };
}

/** The id, the properties, the built-in fields and the stamp, without what is missing. */
function nodeColumn(scope: SqlScope, { variable, hidden, stamped }: WholeRow): ColumnSql {
  const alias = scope.alias(variable);
  const columns = ['name', 'props', 'summary', 'tags', 'provenance'].map((column) =>
    raw(`${alias}.${column}`),
  );
  return {
    values: [...columns, scope.observations(alias)],
    group: [raw(`${alias}.row`)],
    order: () => [scope.text(`${alias}.name`), scope.text(`${alias}.type`)],
    scored: false,
    cell: ([
      name = null,
      props = null,
      summary = null,
      tags = null,
      provenance = null,
      observations = null,
    ]) => {
      const object = new Map<string, Json>([['@id', textCell(name)]]);
      for (const [key, value] of visibleProps(props, hidden)) object.set(key, value);
      const add = (key: string, value: Json) => {
        const nothing = value === null || (Array.isArray(value) && value.length === 0);
        if (!nothing && !object.has(key)) object.set(key, value);
      };
      add('name', textCell(name));
      add('summary', textCell(summary));
      add('tags', jsonCell(tags));
      add('observations', jsonCell(observations));
      for (const [key, value] of stampFields(provenance, stamped)) object.set(key, value);
      return Object.fromEntries(object);
    },
  };
}

function edgeColumn(scope: SqlScope, { variable, hidden, stamped }: WholeRow): ColumnSql {
  const alias = scope.alias(variable);
  return {
    values: ['from_name', 'to_name', 'props', 'provenance'].map((column) => raw(`${alias}.${column}`)),
    group: [raw(`${alias}.row`)],
    order: () => ['from_name', 'to_name', 'key'].map((column) => scope.text(`${alias}.${column}`)),
    scored: false,
    cell: ([from = null, to = null, props = null, provenance = null]) =>
      Object.fromEntries([
        ['from', textCell(from)],
        ['to', textCell(to)],
        ...visibleProps(props, hidden),
        ...stampFields(provenance, stamped),
      ]),
  };
}

function scoreColumn(scope: SqlScope, score: Score): ColumnSql {
  const key = scoreSql(scope, score);
  const own = { group: [key], order: () => [key], scored: true };
  if (score.kind !== 'bm25')
    return { ...own, values: [key], cell: ([value = null]) => (typeof value === 'number' ? value : null) };
  // The computed score, not the one a database has rounded.
  const scores = scope.matches.scores.get(score);
  return {
    ...own,
    values: [raw(`${scope.alias(score.operand.variable)}.row`)],
    cell: ([row = null]) => (typeof row === 'number' ? (scores?.get(row) ?? 0) : null),
  };
}

function scoreSql(scope: SqlScope, score: Score): QueryFragment {
  switch (score.kind) {
    case 'nearest': {
      const place = operandSource(scope, score.operand);
      return place.kind === 'json'
        ? scope.queryDialect.cosineDistance(place.source, score.vector)
        : raw('null');
    }
    case 'bm25':
      return raw(`coalesce(${scope.scoreTable(score)}.place, 0)`);
    case 'rrf':
      return joinSql(
        score.arms.map((arm) => {
          const rank = rankSql(scope, arm);
          return sql`coalesce(cast(1 as double precision) / (${raw(String(score.k))} + ${rank}), 0)`;
        }),
        ' + ',
      );
  }
}

function rankSql(scope: SqlScope, arm: Score): QueryFragment {
  const key = scoreSql(scope, arm);
  const worse = arm.kind === 'nearest' ? 'asc' : 'desc';
  const rated = arm.kind === 'nearest' ? sql`${key} is not null` : sql`${key} > 0`;
  const alias = arm.kind === 'rrf' ? null : scope.alias(arm.operand.variable);
  const ids =
    alias === null
      ? ''
      : `, ${alias}.name${scope.queryDialect.byCodePoint}, ${alias}.type${scope.queryDialect.byCodePoint}`;
  return sql`(case when ${rated} then dense_rank() over (order by ${key} ${raw(worse)} nulls last${raw(ids)}) end)`;
}

function visibleProps(props: SqlValue, hidden: readonly string[]): [string, Json][] {
  const all: Props = typeof props === 'string' ? JSON.parse(props) : {};
  return Object.entries(all).filter(([key, value]) => value !== null && !hidden.includes(key));
}

function stampFields(provenance: SqlValue, fields: readonly string[]): [string, Json][] {
  if (typeof provenance !== 'string') return [];
  const all: Props = JSON.parse(provenance);
  return fields.flatMap((field): [string, Json][] => {
    const value = Object.hasOwn(all, field) ? all[field] : undefined;
    return value === undefined ? [] : [[field, value]];
  });
}

function textCell(value: SqlValue): Cell {
  return typeof value === 'string' ? value : null;
}

function jsonCell(value: SqlValue): Cell {
  return typeof value === 'string' ? JSON.parse(value) : null;
}

/** Makes the order total: by the ids of nodes, in the order of the variables, then by edges. */
export function tieBreakers(scope: SqlScope, { match }: RowQuery): QueryFragment[] {
  const nodes = match.nodes.flatMap(({ id }) => {
    const alias = scope.alias(id);
    return [scope.text(`${alias}.name`), scope.text(`${alias}.type`)];
  });
  const edges = match.hops.flatMap(({ variable, from, direction }) => {
    if (variable === null) return [];
    const alias = scope.alias(variable);
    const away = raw(`case when ${alias}.from_node = ${scope.alias(from)}.node then 0 else 1 end`);
    return [...(direction === 'both' ? [away] : []), scope.text(`${alias}.key`)];
  });
  return [...nodes, ...edges];
}

/** Distinguishes edges whose ends have the same names, by the types of these. */
export function edgeEndTypes(scope: SqlScope, { match }: RowQuery, variable: string): QueryFragment[] {
  const hop = match.hops.find((each) => each.variable === variable);
  if (hop === undefined) throw new TypeError(`No hop binds ${variable}.`);
  const [edge, from, to] = [variable, hop.from, hop.to].map((each) => scope.alias(each));
  const turned = `${edge}.from_node = ${to}.node`;
  return [
    `case when ${turned} then ${to}.type else ${from}.type end`,
    `case when ${turned} then ${from}.type else ${to}.type end`,
  ].map((type) => scope.text(`(${type})`));
}

/** Nulls come first, or last if descending. */
export function orderTerms(
  keys: readonly QueryFragment[],
  descending: boolean,
  scored = false,
): QueryFragment[] {
  const direction = descending ? 'desc' : 'asc';
  const nulls = descending || scored ? 'nulls last' : 'nulls first';
  return keys.map((key) => sql`${key} ${raw(`${direction} ${nulls}`)}`);
}
