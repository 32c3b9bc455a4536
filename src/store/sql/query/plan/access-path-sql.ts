import type { Json } from '../../../../model/json.js';
import type { NodeVariable } from '../../../row-query.js';
import type { Fragment } from '../../executor.js';
import { candidatesWithAny } from '../../properties/node-properties.js';
import { and, raw, sql } from '../../sql.js';
import { givenSql, type QueryFragment } from '../parameter-slots.js';
import type { SqlScope } from '../sql-scope.js';
import type { AccessPath } from './access-path.js';

export interface JoinSql {
  readonly items: readonly QueryFragment[];
  readonly where: readonly QueryFragment[];
}

export function nodeRowSql(scope: SqlScope, { id, types }: NodeVariable): JoinSql {
  const alias = scope.alias(id);
  const where = [scope.visible('node_row', alias), raw(`${alias}.stub = 0`)];
  if (types !== null) where.push(scope.dialect.inList(`${alias}.type`, 'text', types));
  return { items: [raw(`node_row ${alias}`)], where };
}

export function accessPathSql(scope: SqlScope, variable: NodeVariable, access: AccessPath): JoinSql {
  const row = nodeRowSql(scope, variable);
  const alias = scope.alias(variable.id);
  const { dialect } = scope;
  const { graph } = scope.lineage;
  switch (access.kind) {
    case 'scan':
      return row;
    case 'names': {
      const named = listSql(access.names, access.parameter, (names) =>
        dialect.names.matchesAny(names.map(String)),
      );
      const select = sql`select i.node from identity i where i.graph = ${graph} and ${named}`;
      return { ...row, where: [dialect.inSelect(`${alias}.node`, select), ...row.where] };
    }
    case 'values': {
      const select = candidatesSql(scope, access);
      return { ...row, where: [dialect.inSelect(`${alias}.node`, select), ...row.where] };
    }
    case 'rows':
      return { ...row, where: [dialect.inList(`${alias}.row`, 'integer', access.rows), ...row.where] };
    case 'range': {
      const entry = scope.uniqueName('p');
      return {
        items: [raw(`property_value ${entry}`), ...row.items],
        where: [entriesSql(scope, entry, access), raw(`${alias}.row = ${entry}.row`), ...row.where],
      };
    }
  }
}

function candidatesSql(
  { dialect, lineage: { graph } }: SqlScope,
  { types, property, values, parameter }: Extract<AccessPath, { kind: 'values' }>,
): QueryFragment {
  return listSql(values, parameter, (list) => candidatesWithAny({ dialect, graph }, types, property, list));
}

function listSql(
  values: readonly Json[],
  parameter: number | undefined,
  make: (values: readonly Json[]) => Fragment,
): QueryFragment {
  return parameter === undefined
    ? make(values)
    : givenSql({ value: values[0] ?? null, parameter }, (value) => make([value]));
}

function entriesSql(
  scope: SqlScope,
  entry: string,
  { indexes, bounds }: Extract<AccessPath, { kind: 'range' }>,
): QueryFragment {
  const where: QueryFragment[] = [
    sql`${raw(entry)}.graph = ${scope.lineage.graph}`,
    scope.dialect.inList(`${entry}.property`, 'integer', indexes),
  ];
  const { low, high } = bounds;
  if (low !== null) where.push(sql`${raw(entry)}.value ${raw(low.included ? '>=' : '>')} ${low.sql}`);
  if (high !== null) where.push(sql`${raw(entry)}.value ${raw(high.included ? '<=' : '<')} ${high.sql}`);
  return and(where);
}

export function accessPathCountSql(
  scope: SqlScope,
  variable: NodeVariable,
  access: AccessPath,
): QueryFragment {
  switch (access.kind) {
    case 'values':
      return candidatesSql(scope, access);
    case 'range': {
      const entry = scope.uniqueName('p');
      return sql`select 1 from property_value ${raw(entry)} where ${entriesSql(scope, entry, access)}`;
    }
    default: {
      const { items, where } = accessPathSql(scope, variable, access);
      return sql`select 1 from ${items[0] ?? raw('')} where ${and(where)}`;
    }
  }
}
