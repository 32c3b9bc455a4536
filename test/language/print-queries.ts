import { formatValueType } from '../../src/language/format-value-type.js';
import { quoteString } from '../../src/language/literal.js';
import type { Json } from '../../src/model/json.js';
import { printExpression } from '../../src/query/print-expression.js';
import type {
  Assignment,
  Clause,
  MutationStatement,
  OrderTerm,
  Predicate,
  Projection,
  QueryAnnotation,
  QueryDeclaration,
  QueryFile,
  Traversal,
} from '../../src/query/query-ast.js';

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

function printProjection({ expression, alias }: Projection): string {
  return alias === null ? printExpression(expression) : `${printExpression(expression)} as ${alias}`;
}

function printOrderTerm({ expression, direction }: OrderTerm): string {
  return direction === null ? printExpression(expression) : `${printExpression(expression)} ${direction}`;
}

function printAssignments(assignments: readonly Assignment[]): string {
  return assignments.map(({ name, value }) => `${bareName(name)}: ${printExpression(value)}`).join(', ');
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

function inBackquotes(name: string): string {
  return `\`${quoteString(name).slice(1, -1).replaceAll('`', '\\`')}\``;
}

function bareName(name: string): string {
  return printExpression({ kind: 'name', name, at: 0 });
}

function typeName(name: string): string {
  return /^[A-Z][A-Za-z0-9_]*$/.test(name) ? name : inBackquotes(name);
}
