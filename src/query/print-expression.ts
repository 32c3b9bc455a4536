import { printLiteral, quoteString } from '../language/literal.js';
import {
  type Assignment,
  type Clause,
  operators,
  type QueryExpression,
  type Traversal,
} from './query-ast.js';

/** An expression as text; equal texts mean the same. */
export function printExpression(expression: QueryExpression): string {
  switch (expression.kind) {
    case 'property':
      return `$${expression.variable}.${printName(expression.property)}`;
    case 'system':
      return expression.variable === null ? expression.field : `$${expression.variable}.${expression.field}`;
    case 'variable':
      return `$${expression.name}`;
    case 'name':
      return printBareName(expression.name);
    case 'call':
      return `${expression.name}(${expression.arguments.map(printExpression).join(', ')})`;
    case 'null':
      return 'null';
    case 'compare':
      return `${printOperand(expression.left)} ${expression.operator} ${printOperand(expression.right)}`;
    case 'is-null':
      return `${printOperand(expression.operand)} is ${expression.negated ? 'not ' : ''}null`;
    case 'and':
    case 'or':
      return expression.predicates.map(printPart).join(` ${expression.kind} `);
    case 'not':
      return `not ${printPart(expression.predicate)}`;
    case 'block':
      return `${expression.negated ? 'not' : 'exists'} ${printBlock(expression.clauses)}`;
    case 'block-aggregate': {
      const of = expression.of === null ? '' : `(${printExpression(expression.of)})`;
      return `${expression.fn}${of} ${printBlock(expression.clauses)}`;
    }
    default:
      return printLiteral(expression);
  }
}

/** A part of `and`, `or` or `not`. */
function printPart(expression: QueryExpression): string {
  const { kind } = expression;
  return kind === 'and' || kind === 'or' || kind === 'not'
    ? inParentheses(expression)
    : printExpression(expression);
}

/** A side of a comparison. */
function printOperand(expression: QueryExpression): string {
  const { kind } = expression;
  return kind === 'compare' || kind === 'is-null' ? inParentheses(expression) : printPart(expression);
}

function inParentheses(expression: QueryExpression): string {
  return `(${printExpression(expression)})`;
}

function printBlock(clauses: readonly Clause[]): string {
  return `{ ${clauses.map(printClause).join('  ')} }`;
}

export function printClause(clause: Clause): string {
  switch (clause.kind) {
    case 'binding': {
      const { variable, type, properties } = clause;
      const given = properties.length === 0 ? '' : ` { ${printAssignments(properties)} }`;
      return `$${variable.text}: ${printTypeName(type.text)}${given}`;
    }
    case 'traversal':
      return printTraversal(clause);
    case 'variable':
      // The next clause may begin with a variable, too, and the two would be a traversal.
      return inParentheses(clause);
    case 'compare':
      // Between two nodes, the word of an operator is the name of an edge.
      return clause.left.kind === 'variable' && clause.right.kind === 'variable'
        ? inParentheses(clause)
        : printExpression(clause);
    default:
      return printExpression(clause);
  }
}

function printTraversal({ source, variable, edge, undirected, hops, destination }: Traversal): string {
  const name = printBareName(edge.text);
  const bound = variable === null ? '' : `$${variable.text}: `;
  const range = hops === null ? '' : `{${hops.min},${hops.max}}`;
  return `$${source.text} ${bound}${undirected ? `<${name}>` : name}${range} $${destination.text}`;
}

export function printAssignments(assignments: readonly Assignment[]): string {
  return assignments.map(({ name, value }) => `${printBareName(name)}: ${printExpression(value)}`).join(', ');
}

/** Words that mean something else to the grammar where a name is expected. */
const reservedWords: ReadonlySet<string> = new Set<string>([
  ...operators,
  ...['is', 'and', 'or', 'not', 'exists', 'as', 'asc', 'desc', 'true', 'false', 'null'],
]);

function printBareName(name: string): string {
  return reservedWords.has(name) ? inBackquotes(name) : printName(name);
}

function printName(name: string): string {
  return /^[a-z_][A-Za-z0-9_]*$/.test(name) ? name : inBackquotes(name);
}

export function printTypeName(name: string): string {
  return /^[A-Z][A-Za-z0-9_]*$/.test(name) ? name : inBackquotes(name);
}

function inBackquotes(name: string): string {
  return `\`${quoteString(name).slice(1, -1).replaceAll('`', '\\`')}\``;
}
