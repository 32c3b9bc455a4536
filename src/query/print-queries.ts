import { formatValueType } from '../language/format-value-type.js';
import { printLiteral, quoteString } from '../language/literal.js';
import type { Json } from '../model/json.js';
import {
  type Assignment,
  type Clause,
  type MutationStatement,
  type OrderTerm,
  operators,
  type Predicate,
  type Projection,
  type QueryAnnotation,
  type QueryDeclaration,
  type QueryExpression,
  type QueryFile,
  type Traversal,
} from './query-ast.js';

/** A file of queries as text, laid out as people would; reading it again gives the same file. */
export function printQueries({ queries }: QueryFile): string {
  return queries.map((query) => `${printQuery(query)}\n`).join('\n');
}

function printQuery({ name, parameters, annotations, body }: QueryDeclaration): string {
  const given = parameters.map((parameter) => `$${parameter.name}: ${formatValueType(parameter.type)}`);
  const head = [`query ${name}(${given.join(', ')})`, ...annotations.map(printAnnotation)].join(' ');
  const lines =
    body.kind === 'mutation'
      ? body.statements.map(printStatement)
      : [
          `match {\n${indented(body.match.map(printClause))}\n}`,
          `return { ${body.projections.map(printProjection).join(', ')} }`,
          ...(body.order.length === 0 ? [] : [`order { ${body.order.map(printOrderTerm).join(', ')} }`]),
          ...(body.limit === null ? [] : [`limit ${body.limit.value}`]),
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

function printClause(clause: Clause): string {
  if (clause.kind === 'traversal') return printTraversal(clause);
  if (clause.kind !== 'binding') return printPredicate(clause);
  const { variable, type, properties } = clause;
  const given = properties.length === 0 ? '' : ` { ${printAssignments(properties)} }`;
  return `$${variable.text}: ${typeName(type.text)}${given}`;
}

function printTraversal({ source, variable, edge, undirected, hops, destination }: Traversal): string {
  const name = undirected ? `<${bareName(edge.text)}>` : bareName(edge.text);
  const bound = variable === null ? '' : `$${variable.text}: `;
  const ways = hops === null ? '' : `{${hops.min},${hops.max}}`;
  return `$${source.text} ${bound}${name}${ways} $${destination.text}`;
}

function printPredicate(predicate: Predicate): string {
  switch (predicate.kind) {
    case 'compare':
      return `${printExpression(predicate.left)} ${predicate.operator} ${printExpression(predicate.right)}`;
    case 'is-null':
      return `${printExpression(predicate.operand)} is ${predicate.negated ? 'not ' : ''}null`;
    case 'and':
    case 'or':
      return predicate.predicates.map(inParentheses).join(` ${predicate.kind} `);
    case 'not':
      return `not ${inParentheses(predicate.predicate)}`;
    case 'block':
      return `${predicate.negated ? 'not' : 'exists'} {\n${indented(predicate.clauses.map(printClause))}\n}`;
    case 'call':
      return printExpression(predicate);
  }
}

function inParentheses(predicate: Predicate): string {
  const compound = predicate.kind === 'and' || predicate.kind === 'or' || predicate.kind === 'not';
  return compound ? `(${printPredicate(predicate)})` : printPredicate(predicate);
}

/** An expression as text; two of the same text mean the same. */
export function printExpression(expression: QueryExpression): string {
  switch (expression.kind) {
    case 'property':
      return `$${expression.variable}.${ident(expression.property)}`;
    case 'variable':
      return `$${expression.name}`;
    case 'name':
      return bareName(expression.name);
    case 'call':
      return `${expression.name}(${expression.arguments.map(printExpression).join(', ')})`;
    case 'null':
      return 'null';
    default:
      return printLiteral(expression);
  }
}

function printProjection({ expression, alias }: Projection): string {
  return alias === null ? printExpression(expression) : `${printExpression(expression)} as ${alias}`;
}

function printOrderTerm({ expression, direction }: OrderTerm): string {
  return direction === null ? printExpression(expression) : `${printExpression(expression)} ${direction}`;
}

function printAssignments(assignments: readonly Assignment[]): string {
  return assignments.map(({ name, value }) => `${ident(name)}: ${printExpression(value)}`).join(', ');
}

function printStatement(statement: MutationStatement): string {
  const type = typeName(statement.type.text);
  switch (statement.kind) {
    case 'insert':
      return `insert ${type} { ${printAssignments(statement.assignments)} }`;
    case 'update':
      return `update ${type} set { ${printAssignments(statement.assignments)} } where ${printPredicate(statement.where)}`;
    case 'delete':
      return `delete ${type} where ${printPredicate(statement.where)}`;
  }
}

/** Words that the grammar would take for something else where a name stands alone. */
const reservedWords: ReadonlySet<string> = new Set<string>([
  ...operators,
  ...['is', 'and', 'or', 'not', 'exists', 'as', 'asc', 'desc', 'true', 'false', 'null'],
]);

function inBackquotes(name: string): string {
  return `\`${quoteString(name).slice(1, -1).replaceAll('`', '\\`')}\``;
}

function ident(name: string): string {
  return /^[a-z_][A-Za-z0-9_]*$/.test(name) ? name : inBackquotes(name);
}

function bareName(name: string): string {
  return reservedWords.has(name) ? inBackquotes(name) : ident(name);
}

function typeName(name: string): string {
  return /^[A-Z][A-Za-z0-9_]*$/.test(name) ? name : inBackquotes(name);
}
