import type { NodeVariable } from '../../../row-query.js';
import type { Fragment } from '../../executor.js';
import { candidatesWithAny } from '../../properties/node-properties.js';
import { and, raw, sql } from '../../sql.js';

import type { SqlScope } from '../sql-scope.js';
import type { AccessPath } from './access-path.js';

/** What a step adds to a `from` and to the conditions. */
export interface JoinSql {
  readonly items: readonly Fragment[];
  readonly where: readonly Fragment[];
}

/** The row of a node that the query may look at, whichever way it is found. */
export function nodeRowSql(scope: SqlScope, { id, types }: NodeVariable): JoinSql {
  const alias = scope.alias(id);
  const where = [scope.visible('node_row', alias), raw(`${alias}.stub = 0`)];
  if (types !== null) where.push(scope.dialect.inList(`${alias}.type`, 'text', types));
  return { items: [raw(`node_row ${alias}`)], where };
}

/** The rows that a way to find a variable gives. */
export function accessPathSql(scope: SqlScope, variable: NodeVariable, access: AccessPath): JoinSql {
  const row = nodeRowSql(scope, variable);
  const alias = scope.alias(variable.id);
  const { dialect } = scope;
  const { graph } = scope.lineage;
  switch (access.kind) {
    case 'scan':
      return row;
    case 'names': {
      const list = dialect.names.matchesAny(access.names);
      const select = sql`select i.node from identity i where i.graph = ${graph} and ${list}`;
      return { ...row, where: [dialect.inSelect(`${alias}.node`, select), ...row.where] };
    }
    case 'values': {
      const select = candidatesWithAny(dialect, graph, access.types, access.property, access.values);
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

function entriesSql(
  scope: SqlScope,
  entry: string,
  { indexes, bounds }: Extract<AccessPath, { kind: 'range' }>,
): Fragment {
  const where = [
    sql`${raw(entry)}.graph = ${scope.lineage.graph}`,
    scope.dialect.inList(`${entry}.property`, 'integer', indexes),
  ];
  const { low, high } = bounds;
  if (low !== null) where.push(sql`${raw(entry)}.value ${raw(low.included ? '>=' : '>')} ${low.text}`);
  if (high !== null) where.push(sql`${raw(entry)}.value ${raw(high.included ? '<=' : '<')} ${high.text}`);
  return and(where);
}

/** What has to be counted to know how many an access gives. */
export function accessPathCountSql(scope: SqlScope, variable: NodeVariable, access: AccessPath): Fragment {
  const { dialect } = scope;
  switch (access.kind) {
    case 'values':
      return candidatesWithAny(dialect, scope.lineage.graph, access.types, access.property, access.values);
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
