import type { Condition, Hop, NodeVariable, RowQuery, RowQueryExpression } from '../../row-query.js';
import { and, joinSql, raw, sql } from '../sql.js';
import { isSmallInteger } from './aggregate-sql.js';
import type { BlockSql } from './block-compiler.js';
import { conditionSql } from './condition-sql.js';
import type { QueryFragment } from './parameter-slots.js';
import { type JoinSql, nodeRowSql } from './plan/access-path-sql.js';
import type { Start } from './plan/plan-block.js';
import { variablesOf } from './query-variables.js';
import type { SqlScope } from './sql-scope.js';

/** An aggregate over all edges of a type, which one pass over them answers: no node is looked up for each of its edges. */
export interface EdgePass {
  readonly hop: Hop;
  readonly from: EdgeEnd;
  readonly to: EdgeEnd;
  /** Conditions on the edge. */
  readonly conditions: readonly Condition[];
}

interface EdgeEnd {
  readonly variable: NodeVariable;
  readonly conditions: readonly Condition[];
  /** Whether a column shows something of it. */
  readonly isShown: boolean;
}

/** Null if a query has to be answered in another way. */
export function edgePassOf(query: RowQuery, starts: ReadonlyMap<string, Start>): EdgePass | null {
  const { nodes, hops, conditions } = query.match;
  const [hop, ...otherHops] = hops;
  if (!query.grouped || hop === undefined || otherHops.length > 0 || nodes.length !== 2) return null;
  if (hop.min !== 1 || hop.max !== 1 || hop.direction === 'both' || hop.from === hop.to) return null;
  if (nodes.some(({ id }) => starts.get(id)?.access.kind !== 'scan')) return null;
  const variables = conditions.map((condition) => [...variablesOf([condition])]);
  if (variables.some(({ length }) => length !== 1)) return null;
  const expressions = [...query.columns, ...query.order].map(({ expression }) => expression);
  const shown = new Set<string>();
  for (const expression of expressions) {
    const part = shownVariable(expression, hop.variable === null);
    if (part === null) return null;
    if (part !== undefined) shown.add(part);
  }
  const [group] = nodes.filter(({ id }) => shown.has(id));
  if (group !== undefined && hop.variable !== null && !isGroupable(expressions, group, hop.variable))
    return null;
  const of = (id: string | null) => conditions.filter((_, index) => variables[index]?.[0] === id);
  const end = (id: string): EdgeEnd[] =>
    nodes
      .filter((node) => node.id === id)
      .map((variable) => ({ variable, conditions: of(id), isShown: shown.has(id) }));
  const [from] = end(hop.direction === 'out' ? hop.from : hop.to);
  const [to] = end(hop.direction === 'out' ? hop.to : hop.from);
  if (from === undefined || to === undefined) return null;
  if (from.isShown && to.isShown) return null;
  return { hop, from, to, conditions: of(hop.variable) };
}

/** Whether aggregates of an edge can be made for each node at one of its ends, and then combined. */
function isGroupable(expressions: readonly RowQueryExpression[], end: NodeVariable, edge: string): boolean {
  // Floats add up to the same sum only in one order.
  const isByNode = end.types?.length === 1 && expressions.some((shown) => identifies(shown, end));
  return expressions.every((shown) => {
    if (shown.kind !== 'aggregate') return !('variable' in shown && shown.variable === edge);
    if (shown.of.kind !== 'property') return true;
    const isSum = shown.fn === 'sum' || shown.fn === 'avg';
    return shown.of.variable === edge && (isByNode || !isSum || isSmallInteger(shown.of.type));
  });
}

function identifies(expression: RowQueryExpression, end: NodeVariable): boolean {
  if (expression.kind === 'node') return expression.variable === end.id;
  if (expression.kind !== 'property' || expression.variable !== end.id) return false;
  return expression.place === 'row' && (expression.property === 'id' || expression.property === 'name');
}

/** The variable that an expression needs the row of; undefined if none, null if it is not that simple. */
function shownVariable(expression: RowQueryExpression, isCounted: boolean): string | undefined | null {
  switch (expression.kind) {
    case 'property':
      return expression.variable;
    case 'node':
      return expression.variable;
    case 'value':
      return undefined;
    case 'aggregate': {
      const { of } = expression;
      if (of.kind === 'node' || of.kind === 'edge') return undefined;
      // Edges that are only counted are not there one by one.
      return isCounted || of.kind !== 'property' ? null : of.variable;
    }
    default:
      return null;
  }
}

/** The edges that the pass reads, to find out whether there are many. */
export function edgesOfPass(scope: SqlScope, { hop }: EdgePass): QueryFragment {
  const edge = scope.uniqueName('e');
  return sql`select 1 from edge_row ${raw(edge)} where ${ofType(scope, edge, hop)}`;
}

/** Counts edges in memory; reads bound ones in the file, where those in memory save looking up ends that are not shown. */
export function edgePassSql(scope: SqlScope, pass: EdgePass, edges: string): BlockSql | null {
  const { edgeCounts, edgesLieWithin } = scope.queryDialect;
  if (edgeCounts === null || edgesLieWithin === null) return null;
  const { hop, from, to } = pass;
  if (hop.variable === null) {
    const [shown, counted] = from.isShown ? [from, to] : [to, from];
    const { item, node, count } = edgeCounts(
      edges,
      from.isShown ? 'out' : 'in',
      nodesOf(scope, counted),
      scope.uniqueName('d'),
    );
    scope.rowGroups = { count, aggregate: (of) => of };
    const row = endRow(scope, shown, node);
    return { ctes: [], items: [item, ...row.items], where: and(row.where), walk: null };
  }
  const edge = scope.alias(hop.variable);
  const ends = [
    { end: from, side: 'out' as const, node: raw(`${edge}.from_node`) },
    { end: to, side: 'in' as const, node: raw(`${edge}.to_node`) },
  ];
  const within = ends.map(({ end, side, node }) => {
    const nodes = nodesOf(scope, end);
    // Mostly all edges of a type lead from one type to another, and nothing has to be looked up.
    const all = edgesLieWithin(edges, side, nodes);
    return sql`(${all} or +${node} in (select value from json_each(${nodes})))`;
  });
  const table = raw(`edge_row ${edge}`);
  const conditions = [
    ofType(scope, edge, hop),
    ...pass.conditions.map((condition) => conditionSql(scope, condition)),
  ];
  const [shown] = ends.filter(({ end }) => end.isShown);
  if (shown === undefined)
    return { ctes: [], items: [table], where: and([...conditions, ...within]), walk: null };
  const others = within.filter((_, index) => ends[index] !== shown);
  return groupedByEnd(scope, shown, table, and([...conditions, ...others]));
}

/** Aggregates the edges of each node before the nodes are looked up. */
function groupedByEnd(
  scope: SqlScope,
  { end, node }: { readonly end: EdgeEnd; readonly node: QueryFragment },
  edges: QueryFragment,
  where: QueryFragment,
): BlockSql {
  const group = scope.uniqueName('g');
  const aggregates: QueryFragment[] = [];
  scope.rowGroups = {
    count: raw(`${group}.n`),
    aggregate: (of) => raw(`${group}.p${aggregates.push(of) - 1}`),
  };
  const row = endRow(scope, end, raw(`${group}.node`));
  return {
    ctes: [],
    // Known once the columns are. In the order of the index on ends, edges would be looked up one by one.
    get items() {
      const columns = joinSql([sql`${node} as node`, raw('count(*) as n'), ...numbered(aggregates)], ', ');
      const grouped = sql`(select ${columns} from ${edges} where ${where} group by +${node}) ${raw(group)}`;
      return [grouped, ...row.items];
    },
    where: and(row.where),
    walk: null,
  };
}

function numbered(aggregates: readonly QueryFragment[]): QueryFragment[] {
  return aggregates.map((aggregate, index) => sql`${aggregate} as ${raw(`p${index}`)}`);
}

function ofType(scope: SqlScope, edge: string, hop: Hop): QueryFragment {
  return sql`${raw(edge)}.type = ${hop.edge} and (${scope.visible('edge_row', edge)})`;
}

function endRow(scope: SqlScope, end: EdgeEnd, node: QueryFragment): JoinSql {
  const { items, where } = rowOf(scope, end);
  return { items, where: [sql`${raw(scope.alias(end.variable.id))}.node = ${node}`, ...where] };
}

function rowOf(scope: SqlScope, { variable, conditions }: EdgeEnd): JoinSql {
  const { items, where } = nodeRowSql(scope, variable);
  return { items, where: [...where, ...conditions.map((condition) => conditionSql(scope, condition))] };
}

/** A JSON list of the nodes that an end may be. */
function nodesOf(scope: SqlScope, end: EdgeEnd): QueryFragment {
  const { items, where } = rowOf(scope, end);
  const alias = raw(scope.alias(end.variable.id));
  return sql`(select json_group_array(${alias}.node) from ${items[0] ?? raw('')} where ${and(where)})`;
}
