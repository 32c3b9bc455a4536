import type { QueryExpression } from '../query-ast.js';

/** The properties and system fields of the row that a `where` uses. */
export function rowFields(expression: QueryExpression): readonly string[] {
  switch (expression.kind) {
    case 'name':
      return [expression.name];
    case 'system':
      return expression.variable === null ? [expression.field] : [];
    case 'and':
    case 'or':
      return expression.predicates.flatMap(rowFields);
    case 'not':
      return rowFields(expression.predicate);
    case 'compare':
      return [expression.left, expression.right].flatMap(rowFields);
    case 'is-null':
      return rowFields(expression.operand);
    case 'call':
      return expression.arguments.flatMap(rowFields);
    default:
      return [];
  }
}
