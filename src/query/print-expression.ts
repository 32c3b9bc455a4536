import { printLiteral, quoteString } from '../language/literal.js';
import { operators, type QueryExpression } from './query-ast.js';

/** An expression as text; equal texts mean the same. */
export function printExpression(expression: QueryExpression): string {
  switch (expression.kind) {
    case 'property':
      return `$${expression.variable}.${printName(expression.property)}`;
    case 'variable':
      return `$${expression.name}`;
    case 'name':
      return reservedWords.has(expression.name) ? inBackquotes(expression.name) : printName(expression.name);
    case 'call':
      return `${expression.name}(${expression.arguments.map(printExpression).join(', ')})`;
    case 'null':
      return 'null';
    default:
      return printLiteral(expression);
  }
}

/** Words that mean something else to the grammar where a name is expected. */
const reservedWords: ReadonlySet<string> = new Set<string>([
  ...operators,
  ...['is', 'and', 'or', 'not', 'exists', 'as', 'asc', 'desc', 'true', 'false', 'null'],
]);

function printName(name: string): string {
  return /^[a-z_][A-Za-z0-9_]*$/.test(name) ? name : inBackquotes(name);
}

function inBackquotes(name: string): string {
  return `\`${quoteString(name).slice(1, -1).replaceAll('`', '\\`')}\``;
}
