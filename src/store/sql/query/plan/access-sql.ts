import type { NodeVariable } from '../../../row-query.js';
import type { Fragment } from '../../executor.js';
import { nodesThatHadOne } from '../../properties/node-properties.js';
import type { Scope } from '../scope.js';
import { all, bind, raw, sql } from '../sql.js';
import type { Access } from './access.js';

/** What a step adds to a `from` and to the conditions. */
export interface Joined {
  readonly items: readonly Fragment[];
  readonly where: readonly Fragment[];
}

/** The row of a node that the query may look at, whichever way it is found. */
export function nodeRow(scope: Scope, { id, types }: NodeVariable): Joined {
  const alias = scope.alias(id);
  const where = [scope.seen('node_row', alias), raw(`${alias}.stub = 0`)];
  if (types !== null) where.push(scope.dialect.inList(`${alias}.type`, 'text', types));
  return { items: [raw(`node_row ${alias}`)], where };
}

/** The rows that a way to find a variable gives. */
export function accessSql(scope: Scope, variable: NodeVariable, access: Access): Joined {
  const row = nodeRow(scope, variable);
  const alias = scope.alias(variable.id);
  const { dialect } = scope;
  const { graph } = scope.lineage;
  switch (access.kind) {
    case 'scan':
      return row;
    case 'names': {
      const list = dialect.names.isOneOf(access.names);
      const select = sql`select i.node from identity i where i.graph = ${bind(graph)} and ${list}`;
      return { ...row, where: [dialect.inSelect(`${alias}.node`, select), ...row.where] };
    }
    case 'values': {
      const select = nodesThatHadOne(dialect, graph, access.types, access.property, access.values);
      return { ...row, where: [dialect.inSelect(`${alias}.node`, select), ...row.where] };
    }
    case 'rows':
      return { ...row, where: [dialect.inList(`${alias}.row`, 'integer', access.rows), ...row.where] };
    case 'range': {
      const entry = scope.fresh('p');
      return {
        items: [raw(`property_value ${entry}`), ...row.items],
        where: [entriesSql(scope, entry, access), raw(`${alias}.row = ${entry}.row`), ...row.where],
      };
    }
  }
}

function entriesSql(
  scope: Scope,
  entry: string,
  { indexes, bounds }: Extract<Access, { kind: 'range' }>,
): Fragment {
  const where = [
    sql`${entry}.graph = ${bind(scope.lineage.graph)}`,
    scope.dialect.inList(`${entry}.property`, 'integer', indexes),
  ];
  const { low, high } = bounds;
  if (low !== null) where.push(sql`${entry}.value ${low.included ? '>=' : '>'} ${bind(low.text)}`);
  if (high !== null) where.push(sql`${entry}.value ${high.included ? '<=' : '<'} ${bind(high.text)}`);
  return all(where);
}

/** What has to be counted to know how many an access gives. */
export function accessSelect(scope: Scope, variable: NodeVariable, access: Access): Fragment {
  const { dialect } = scope;
  switch (access.kind) {
    case 'values':
      return nodesThatHadOne(dialect, scope.lineage.graph, access.types, access.property, access.values);
    case 'range': {
      const entry = scope.fresh('p');
      return sql`select 1 from property_value ${entry} where ${entriesSql(scope, entry, access)}`;
    }
    default: {
      const { items, where } = accessSql(scope, variable, access);
      return sql`select 1 from ${items[0] ?? raw('')} where ${all(where)}`;
    }
  }
}
