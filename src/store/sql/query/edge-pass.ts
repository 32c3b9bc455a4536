import type { Condition, Hop, NodeVariable, RowQuery, RowQueryExpression } from '../../row-query.js';
import { and, raw, sql } from '../sql.js';
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
  const of = (id: string | null) => conditions.filter((_, index) => variables[index]?.[0] === id);
  const end = (id: string): EdgeEnd[] =>
    nodes
      .filter((node) => node.id === id)
      .map((variable) => ({ variable, conditions: of(id), isShown: shown.has(id) }));
  const [from] = end(hop.direction === 'out' ? hop.from : hop.to);
  const [to] = end(hop.direction === 'out' ? hop.to : hop.from);
  if (from === undefined || to === undefined) return null;
  if (from.isShown && (to.isShown || hop.variable !== null)) return null;
  if (to.isShown && hop.variable !== null) return null;
  return { hop, from, to, conditions: of(hop.variable) };
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

/** Counts edges in memory; reads bound ones in the file, where those in memory save looking up their ends. */
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
    scope.rowCount = count;
    const row = endRow(scope, shown, node);
    return { ctes: [], items: [item, ...row.items], where: and(row.where), walk: null };
  }
  const edge = scope.alias(hop.variable);
  const ends = [
    { end: from, side: 'out' as const, node: raw(`${edge}.from_node`) },
    { end: to, side: 'in' as const, node: raw(`${edge}.to_node`) },
  ].map(({ end, side, node }) => {
    const nodes = nodesOf(scope, end);
    // Mostly all edges of a type lead from one type to another, and nothing has to be looked up.
    const all = edgesLieWithin(edges, side, nodes);
    return sql`(${all} or +${node} in (select value from json_each(${nodes})))`;
  });
  return {
    ctes: [],
    items: [raw(`edge_row ${edge}`)],
    where: and([
      ofType(scope, edge, hop),
      ...pass.conditions.map((condition) => conditionSql(scope, condition)),
      ...ends,
    ]),
    walk: null,
  };
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
