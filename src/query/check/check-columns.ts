import { queryLimits } from '../../model/limits.js';
import { printExpression } from '../print-expression.js';
import type { CallExpression, Projection, QueryExpression, ReadBody } from '../query-ast.js';
import { aggregatedOperand, isAggregable } from './aggregated-operand.js';
import { checkScore, isScoreFunction } from './check-score.js';
import { checkArgumentCount } from './check-text-condition.js';
import type { CheckedExpression, CheckedRead } from './checked-query.js';
import { literalConstant } from './literal-constant.js';
import type { QueryScope, ScopedVariable } from './query-scope.js';
import { resolveOperand } from './resolve-operand.js';

type Aggregate = Extract<CheckedExpression, { kind: 'aggregate' }>;

/** `text` is the printed expression: ordering by the same text orders by this column. */
export interface CheckedColumn {
  readonly name: string;
  readonly text: string;
  readonly at: number;
  readonly expression: CheckedExpression;
}

const aggregates: readonly string[] = ['count', 'sum', 'avg', 'min', 'max'] satisfies Aggregate['fn'][];

function isAggregate(name: string): name is Aggregate['fn'] {
  return aggregates.includes(name);
}

export function checkColumns({ projections }: ReadBody, scope: QueryScope): readonly CheckedColumn[] {
  const { errors } = scope.query;
  const names = new Set<string>();
  const columns: CheckedColumn[] = [];
  for (const projection of projections.slice(0, queryLimits.columns)) {
    const name = projection.alias ?? columnName(projection.expression);
    if (names.has(name)) {
      errors.add(
        projection.at,
        'duplicate_column',
        `Two columns have the name ${name}; rename one with "as".`,
      );
    }
    names.add(name);
    // Rows are objects, and `__proto__` is not a safe key.
    if (name === '__proto__')
      errors.add(projection.at, 'reserved_name', 'A column cannot be named __proto__; rename it with "as".');
    const expression = checkExpression(projection.expression, scope);
    if (expression !== undefined) columns.push(columnOf(name, projection, expression));
  }
  const last = projections[queryLimits.columns];
  if (last !== undefined) {
    errors.add(last.at, 'too_large', `A query returns at most ${queryLimits.columns} columns.`);
  }
  return columns;
}

function columnOf(
  name: string,
  { at, expression: tree }: Projection,
  expression: CheckedExpression,
): CheckedColumn {
  return { name, at, text: printExpression(tree), expression };
}

export function isGrouped(columns: CheckedRead['columns']): boolean {
  return columns.some(({ expression }) => expression.kind === 'aggregate');
}

/** The expression without `$`: `p.name` for `$p.name`. An aggregate is named after what it is of: `f` for `count($f)`. */
function columnName(expression: QueryExpression): string {
  switch (expression.kind) {
    case 'property':
      return `${expression.variable}.${expression.property}`;
    case 'variable':
    case 'name':
      return expression.name;
    case 'system':
      return `${expression.variable}.${expression.field}`;
    case 'call': {
      const given = expression.arguments.map(columnName).join(', ');
      return isAggregate(expression.name) ? given : `${expression.name}(${given})`;
    }
    default:
      return printExpression(expression);
  }
}

export function checkExpression(
  expression: QueryExpression,
  scope: QueryScope,
): CheckedExpression | undefined {
  if (expression.kind === 'call') {
    if (isAggregate(expression.name)) return checkAggregate(expression.name, expression, scope);
    if (isScoreFunction(expression.name)) return checkScore(expression.name, expression, scope);
  }
  if (expression.kind === 'null') {
    scope.query.errors.add(expression.at, 'misplaced', 'null is the same for every row; use a property.');
    return undefined;
  }
  const resolved = resolveOperand(expression, scope);
  switch (resolved?.kind) {
    case undefined:
      return undefined;
    case 'property':
    case 'computed':
      return resolved.operand;
    case 'constant':
      return resolved.constant;
    case 'literal':
      return literalConstant(scope.query, resolved.literal, null);
    case 'variable':
      return wholeRow(resolved.variable, scope);
  }
}

function wholeRow(variable: ScopedVariable, { query: { schemaNames } }: QueryScope): CheckedExpression {
  const { kind, id } = variable;
  if (kind === 'node') {
    const types = variable.types ?? null;
    return { kind, variable: id, hidden: schemaNames.hidden(types), stamped: schemaNames.stamped(types) };
  }
  const { edge } = variable;
  return {
    kind,
    variable: id,
    hidden: schemaNames.hiddenOfEdge(edge),
    stamped: schemaNames.stampedOfEdge(edge),
  };
}

function checkAggregate(fn: Aggregate['fn'], call: CallExpression, scope: QueryScope): Aggregate | undefined {
  const { errors } = scope.query;
  if (!checkArgumentCount(call, 1, 1, scope)) return undefined;
  const [argument] = call.arguments;
  if (argument === undefined) return undefined;
  if (argument.kind === 'call' && isAggregate(argument.name)) {
    errors.add(argument.at, 'misplaced', 'Aggregates cannot be nested.');
    return undefined;
  }
  const resolved = resolveOperand(argument, scope);
  if (resolved === undefined) return undefined;
  if (resolved.kind === 'variable') {
    const { kind, id } = resolved.variable;
    if (fn === 'count') return { kind: 'aggregate', fn, of: { kind, variable: id } };
    errors.add(argument.at, 'type_mismatch', `${fn} takes a property; only count takes a whole ${kind}.`);
    return undefined;
  }
  const of = aggregatedOperand(resolved, scope);
  return of && isAggregable(fn, of, argument.at, scope) ? { kind: 'aggregate', fn, of } : undefined;
}
