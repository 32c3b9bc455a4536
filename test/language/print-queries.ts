import { formatValueType } from '../../src/language/format-value-type.js';
import { quoteString } from '../../src/language/literal.js';
import type { Json } from '../../src/model/json.js';
import {
  printAssignments,
  printClause,
  printExpression,
  printTypeName,
} from '../../src/query/print-expression.js';
import type {
  MutationStatement,
  OrderTerm,
  Projection,
  QueryAnnotation,
  QueryDeclaration,
  QueryFile,
} from '../../src/query/query-ast.js';

/** A file of queries as text, laid out as people would; reading it again gives the same file. */
export function printQueries({ queries }: QueryFile): string {
  return queries.map((query) => `${printQuery(query)}\n`).join('\n');
}

function printQuery({ name, explain, parameters, annotations, body }: QueryDeclaration): string {
  const given = parameters.map((parameter) => `$${parameter.name}: ${formatValueType(parameter.type)}`);
  const head = [
    `${explain ? 'explain ' : ''}query ${name}(${given.join(', ')})`,
    ...annotations.map(printAnnotation),
  ].join(' ');
  const lines =
    body.kind === 'mutation'
      ? body.statements.map(printStatement)
      : [
          `match {\n${indented(body.match.map(printClause))}\n}`,
          `return { ${body.projections.map(printProjection).join(', ')} }`,
          ...(body.order.length === 0 ? [] : [`order { ${body.order.map(printOrderTerm).join(', ')} }`]),
          ...(body.limit === null ? [] : [`limit ${printExpression(body.limit)}`]),
        ];
  return `${head} {\n${indented(lines)}\n}`;
}

function indented(parts: readonly string[]): string {
  // A line break inside a string or a name is written as \n, so every one that is found here is layout.
  const lines = parts.flatMap((part) => part.split('\n'));
  return lines.map((line) => `  ${line}`).join('\n');
}

function printAnnotation({ name, value, named }: QueryAnnotation): string {
  const given = [
    ...(value === undefined ? [] : [annotationValue(value)]),
    ...named.map((argument) => `${argument.name}: ${annotationValue(argument.value)}`),
  ];
  return given.length === 0 ? `@${name}` : `@${name}(${given.join(', ')})`;
}

function annotationValue(value: Json): string {
  return typeof value === 'string' ? quoteString(value) : JSON.stringify(value);
}

function printProjection({ expression, alias }: Projection): string {
  return alias === null ? printExpression(expression) : `${printExpression(expression)} as ${alias}`;
}

function printOrderTerm({ expression, direction }: OrderTerm): string {
  return direction === null ? printExpression(expression) : `${printExpression(expression)} ${direction}`;
}

function printStatement(statement: MutationStatement): string {
  const type = printTypeName(statement.type.text);
  switch (statement.kind) {
    case 'insert':
      return `insert ${type} { ${printAssignments(statement.assignments)} }`;
    case 'update':
      return `update ${type} set { ${printAssignments(statement.assignments)} } where ${printExpression(statement.where)}`;
    case 'delete':
      return `delete ${type} where ${printExpression(statement.where)}`;
  }
}
