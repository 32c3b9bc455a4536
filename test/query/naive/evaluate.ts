import type { Json } from '../../../src/model/json.js';
import { isStampField } from '../../../src/model/provenance.js';
import type {
  Cell,
  Condition,
  Hop,
  Operand,
  PropertyOperand,
  RowQuery,
  RowQueryBlock,
  RowQueryExpression,
  WholeRow,
} from '../../../src/store/row-query.js';
import { aggregateOf } from './aggregates.js';
import type { NaiveEdge, NaiveGraph, NaiveNode } from './graph.js';
import { distance, type Scores, scoreAll } from './scores.js';
import {
  and,
  byCodePoint,
  compare,
  equal,
  has,
  inOrder,
  jsonOf,
  not,
  or,
  type Truth,
  type Value,
  valueFrom,
} from './values.js';
import { hasWords } from './words.js';

/** What each variable means in one row. */
export type Row = ReadonlyMap<string, NaiveNode | NaiveEdge>;

/** Answers a query by trying everything, one clause after the other, as the language describes it. */
export function evaluate(graph: NaiveGraph, query: RowQuery): Cell[][] {
  const rows = waysToFit(graph, query.match, new Map());
  const scores = scoreAll(graph, query, rows);
  const answer = query.grouped ? grouped(graph, query, rows, scores) : plain(graph, query, rows, scores);
  return query.limit === null ? answer : answer.slice(0, query.limit);
}

/** Every way to give the variables of a block a meaning. */
function waysToFit(graph: NaiveGraph, block: RowQueryBlock, outer: Row): Row[] {
  let rows: Row[] = [outer];
  for (const { id, types } of block.nodes) {
    const nodes = graph.nodes.filter(({ type }) => types === null || types.includes(type));
    rows = rows.flatMap((row) => nodes.map((node) => new Map([...row, [id, node]])));
  }
  for (const hop of block.hops) rows = rows.flatMap((row) => follow(graph, hop, row));
  return rows.filter((row) => block.conditions.every((condition) => holds(graph, condition, row) === true));
}

/** A row for each edge if the hop names it, else one if the nodes are that far apart. */
function follow(graph: NaiveGraph, hop: Hop, row: Row): Row[] {
  const [from, to] = [node(row, hop.from).ref, node(row, hop.to).ref];
  const edges = graph.edges.filter(({ type }) => type === hop.edge);
  const leads = (edge: NaiveEdge, a: string, b: string) =>
    (hop.direction !== 'in' && edge.from === a && edge.to === b) ||
    (hop.direction !== 'out' && edge.to === a && edge.from === b);
  const { variable } = hop;
  if (variable !== null)
    return edges.filter((edge) => leads(edge, from, to)).map((edge) => new Map([...row, [variable, edge]]));
  const depth = new Map([[from, 0]]);
  for (const current of depth.keys()) {
    for (const edge of edges) {
      for (const next of [edge.from, edge.to]) {
        if (leads(edge, current, next) && !depth.has(next)) depth.set(next, (depth.get(current) ?? 0) + 1);
      }
    }
  }
  const fits = (steps: number | undefined) => steps !== undefined && steps >= hop.min && steps <= hop.max;
  const isLoop = from === to && edges.some((edge) => edge.from === from && edge.to === to);
  return fits(depth.get(to)) || (isLoop && fits(1)) ? [row] : [];
}

function holds(graph: NaiveGraph, condition: Condition, row: Row): Truth {
  switch (condition.kind) {
    case 'and':
      return condition.conditions.map((each) => holds(graph, each, row)).reduce(and, true);
    case 'or':
      return condition.conditions.map((each) => holds(graph, each, row)).reduce(or, false);
    case 'not':
      return not(holds(graph, condition.condition, row));
    case 'exists':
      return waysToFit(graph, condition.block, row).length > 0 !== condition.negated;
    case 'same':
      return row.get(condition.left) === row.get(condition.right);
    case 'is-null':
      return (operandValue(graph, condition.operand, row) === null) !== condition.negated;
    case 'compare':
      return compared(graph, condition, row);
    default:
      return hasWords(propertyJson(condition.operand, row), condition);
  }
}

function compared(
  graph: NaiveGraph,
  { operator, left, right }: Extract<Condition, { kind: 'compare' }>,
  row: Row,
): Truth {
  const [a, b] = [operandValue(graph, left, row), operandValue(graph, right, row)];
  const order = compare(a, b);
  switch (operator) {
    case '=':
      return equal(a, b);
    case '!=':
      return not(equal(a, b));
    case '<':
      return order === null ? null : order < 0;
    case '<=':
      return order === null ? null : order <= 0;
    case '>':
      return order === null ? null : order > 0;
    case '>=':
      return order === null ? null : order >= 0;
    case 'in':
      return has(b, a);
    case 'contains':
      if (a?.kind === 'text') return b?.kind === 'text' ? a.value.includes(b.value) : null;
      return has(a, b);
    case 'starts_with':
      return a?.kind === 'text' && b?.kind === 'text' ? a.value.startsWith(b.value) : null;
  }
}

function node(row: Row, variable: string): NaiveNode {
  const found = row.get(variable);
  if (found === undefined || !('ref' in found)) throw new Error(`$${variable} is no node.`);
  return found;
}

function operandValue(graph: NaiveGraph, operand: Operand, row: Row): Value | null {
  switch (operand.kind) {
    case 'value':
      return valueFrom(operand.value, operand.type);
    case 'property':
      return valueFrom(propertyJson(operand, row), operand.place === 'row' ? null : operand.type);
    case 'truth':
      return valueFrom(holds(graph, operand.condition, row), null);
    case 'block-aggregate': {
      const { fn, of, block } = operand;
      const matches = waysToFit(graph, block, row);
      if (of === null) return { kind: 'number', value: matches.length };
      const total = aggregateOf(fn, valuesIn(graph, of, matches));
      return fn === 'sum' && total === null ? { kind: 'number', value: 0 } : total;
    }
  }
}

/** Without nulls. */
function valuesIn(graph: NaiveGraph, operand: Operand, rows: readonly Row[]): Value[] {
  return rows.flatMap((row) => operandValue(graph, operand, row) ?? []);
}

export function propertyJson({ variable, property, place, type }: PropertyOperand, row: Row): Json {
  const thing = row.get(variable);
  if (thing === undefined) throw new Error(`$${variable} means nothing.`);
  const own = Object.hasOwn(thing.props, property) ? (thing.props[property] ?? null) : null;
  if (place === 'props') return own;
  if (place === 'provenance') return stampOf(thing, property) ?? (type === null ? own : null);
  if (!('ref' in thing)) {
    const { fromName: from, toName: to, key } = thing;
    const id = key === '' ? JSON.stringify([from, to]) : key;
    return { from, to, id, identity: JSON.stringify([from, to, key]) }[property] ?? key;
  }
  switch (property) {
    case 'id':
    case 'name':
      return thing.name;
    case 'summary':
      return thing.summary;
    case 'tags':
      return thing.tags;
    default:
      return thing.observations;
  }
}

function stampOf({ provenance }: NaiveNode | NaiveEdge, field: string): Json | undefined {
  return isStampField(field) ? provenance?.[field] : undefined;
}

/** What an expression is in a row, to be shown and to be ordered by. */
interface Shown {
  readonly cell: Cell;
  readonly keys: readonly (Value | null)[];
  /** Missing ones come last whichever way the order goes. */
  readonly scored?: boolean;
}

function show(graph: NaiveGraph, expression: RowQueryExpression, row: Row, scores: Scores): Shown {
  switch (expression.kind) {
    case 'value':
      return { cell: expression.value, keys: [] };
    case 'property':
    case 'truth':
    case 'block-aggregate': {
      const value = operandValue(graph, expression, row);
      return { cell: jsonOf(value), keys: [value] };
    }
    case 'node': {
      const found = node(row, expression.variable);
      return { cell: nodeObject(found, expression), keys: [text(found.name), text(found.type)] };
    }
    case 'edge': {
      const edge = row.get(expression.variable);
      if (edge === undefined || 'ref' in edge) throw new Error('No edge.');
      const props = Object.entries(edge.props).filter(([key]) => !expression.hidden.includes(key));
      return {
        cell: Object.fromEntries([
          ['from', edge.fromName],
          ['to', edge.toName],
          ...props,
          ...stampEntries(edge, expression),
        ]),
        keys: [text(edge.fromName), text(edge.toName), text(edge.key)],
      };
    }
    case 'nearest': {
      const cell = distance(propertyJson(expression.operand, row), expression.vector);
      return { cell, keys: [valueFrom(cell, null)], scored: true };
    }
    case 'bm25':
    case 'rrf': {
      const cell = scores(expression, row);
      return { cell, keys: [valueFrom(cell, null)], scored: true };
    }
    case 'aggregate':
      throw new Error('An aggregate has no single row.');
  }
}

function stampEntries(thing: NaiveNode | NaiveEdge, { stamped }: WholeRow): [string, Json][] {
  return stamped.flatMap((field): [string, Json][] => {
    const value = stampOf(thing, field);
    return value === undefined ? [] : [[field, value]];
  });
}

function nodeObject(found: NaiveNode, whole: WholeRow): Cell {
  const { name, props, summary, tags, observations } = found;
  const built: Record<string, Json> = {
    name,
    ...(summary === null ? {} : { summary }),
    ...(tags.length === 0 ? {} : { tags }),
    ...(observations.length === 0 ? {} : { observations }),
  };
  const own = Object.entries(props).filter(([key, value]) => value !== null && !whole.hidden.includes(key));
  return Object.fromEntries([['@id', name], ...Object.entries(built), ...own, ...stampEntries(found, whole)]);
}

function text(value: string): Value {
  return { kind: 'text', value };
}

function plain(graph: NaiveGraph, query: RowQuery, rows: readonly Row[], scores: Scores): Cell[][] {
  const shown = rows.map((row) => ({
    cells: query.columns.map(({ expression }) => show(graph, expression, row, scores).cell),
    keys: query.order.map(({ expression }) => show(graph, expression, row, scores)),
    ties: ties(query, row),
  }));
  shown.sort((a, b) => byKeys(query, a.keys, b.keys) || compareTies(a.ties, b.ties));
  return shown.map(({ cells }) => cells);
}

function byKeys(query: RowQuery, a: readonly Shown[], b: readonly Shown[]): number {
  for (const [index, { descending }] of query.order.entries()) {
    const [left, right] = [a[index], b[index]];
    if (left === undefined || right === undefined) continue;
    for (const [part, key] of left.keys.entries()) {
      const other = right.keys[part] ?? null;
      if (left.scored && (key === null) !== (other === null)) return key === null ? 1 : -1;
      const order = inOrder(key, other);
      if (order !== 0) return descending ? -order : order;
    }
  }
  return 0;
}

function ties({ match }: RowQuery, row: Row): string[] {
  const nodes = match.nodes.flatMap(({ id }) => [node(row, id).name, node(row, id).type]);
  const edges = match.hops.flatMap(({ variable, from, direction }) => {
    const edge = variable === null ? undefined : row.get(variable);
    if (edge === undefined || 'ref' in edge) return [];
    const away = edge.from === node(row, from).ref ? '0' : '1';
    return direction === 'both' ? [away, edge.key] : [edge.key];
  });
  return [...nodes, ...edges];
}

function compareTies(a: readonly string[], b: readonly string[]): number {
  for (const [index, tie] of a.entries()) {
    const order = byCodePoint(tie, b[index] ?? '');
    if (order !== 0) return order;
  }
  return 0;
}

function grouped(graph: NaiveGraph, query: RowQuery, rows: readonly Row[], scores: Scores): Cell[][] {
  const by = query.columns.filter(
    ({ expression }) => expression.kind !== 'aggregate' && expression.kind !== 'value',
  );
  const groups = new Map<string, Row[]>();
  if (by.length === 0) groups.set('[]', []);
  for (const row of rows) {
    const key = JSON.stringify(
      by.map(({ expression }) => {
        const { cell, keys } = show(graph, expression, row, scores);
        if (expression.kind === 'edge') return [...keys.map(jsonOf), ...endTypes(expression, row)];
        return expression.kind === 'node' ? keys.map(jsonOf) : cell;
      }),
    );
    groups.set(key, [...(groups.get(key) ?? []), row]);
  }
  const showGroup = (expression: RowQueryExpression, members: readonly Row[]): Shown => {
    if (expression.kind === 'aggregate') return aggregate(graph, expression, members);
    const [first] = members;
    if (first === undefined) return { cell: expression.kind === 'value' ? expression.value : null, keys: [] };
    return show(graph, expression, first, scores);
  };
  const shown = [...groups.values()].map((members) => ({
    cells: query.columns.map(({ expression }) => showGroup(expression, members).cell),
    keys: query.order.map(({ expression }) => showGroup(expression, members)),
    ties: by.flatMap(({ expression }) => showGroup(expression, members)),
    ends: by.flatMap(({ expression }) =>
      expression.kind === 'edge' && members[0] !== undefined ? endTypes(expression, members[0]) : [],
    ),
  }));
  const groupTies = { ...query, order: by.map(({ expression }) => ({ expression, descending: false })) };
  shown.sort(
    (a, b) =>
      byKeys(query, a.keys, b.keys) || byKeys(groupTies, a.ties, b.ties) || compareTies(a.ends, b.ends),
  );
  return shown.map(({ cells }) => cells);
}

/** What tells apart edges whose ends are called the same. */
function endTypes({ variable }: WholeRow, row: Row): string[] {
  const edge = row.get(variable);
  if (edge === undefined || 'ref' in edge) throw new Error('No edge.');
  return [edge.fromType, edge.toType];
}

function aggregate(
  graph: NaiveGraph,
  { fn, of }: Extract<RowQueryExpression, { kind: 'aggregate' }>,
  rows: readonly Row[],
): Shown {
  const value: Value | null =
    'type' in of ? aggregateOf(fn, valuesIn(graph, of, rows)) : { kind: 'number', value: rows.length };
  return { cell: jsonOf(value), keys: [value] };
}
