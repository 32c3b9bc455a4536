import { formatEnumValue, formatValueType } from '../../language/format-value-type.js';
import { type Literal, literalValue, printLiteral } from '../../language/literal.js';
import type { Scalar, ValueType } from '../../model/value-type.js';
import { parseValue } from '../../schema/graph/values/parse-value.js';
import type { Constant } from './checked-query.js';
import type { CheckContext } from './query-scope.js';

type LiteralConstant = Constant & { kind: 'literal' };

/** A literal as a value of `type`, or of its own type; reports an error and returns undefined if it does not fit. */
export function literalConstant(
  query: CheckContext,
  literal: Literal,
  type: ValueType | null,
): LiteralConstant | undefined {
  const wanted = type ?? inferLiteralType(literal);
  if (wanted === undefined) {
    query.errors.add(literal.at, 'type_mismatch', 'All values of a list must have the same type.');
    return undefined;
  }
  if (!matchesForm(literal, wanted)) {
    const suggestion = literalSuggestion(literal, wanted);
    query.errors.add(
      literal.at,
      'type_mismatch',
      `Expected ${formatValueType({ ...wanted, nullable: false })}, but found ${shortLiteral(literal)}.${suggestion}`,
      { expected: [formatValueType({ ...wanted, nullable: false })] },
    );
    return undefined;
  }
  if (wanted.kind === 'enum' && literal.kind === 'string' && !wanted.values.includes(literal.text)) {
    const members = wanted.values.slice(0, 10).map(formatEnumValue).join(', ');
    query.errors.add(literal.at, 'bad_value', `${shortLiteral(literal)} is not one of ${members}.`, {
      expected: wanted.values,
      meant: literal.text,
      among: wanted.values,
    });
    return undefined;
  }
  const parsed = parseValue({ ...wanted, nullable: false }, literalInput(literal, wanted));
  if ('reason' in parsed) {
    query.errors.add(literal.at, 'bad_value', `The value ${parsed.reason}`, {
      expected: [formatValueType({ ...wanted, nullable: false })],
    });
    return undefined;
  }
  return { kind: 'literal', value: parsed.value, type: { ...wanted, nullable: false } };
}

/** The type of a literal by itself; undefined for a list of several types. */
export function inferLiteralType(literal: Literal): ValueType | undefined {
  switch (literal.kind) {
    case 'string':
      return scalar('String');
    case 'boolean':
      return scalar('Bool');
    case 'date':
      return scalar('Date');
    case 'datetime':
      return scalar('DateTime');
    case 'number':
      return scalar(numberType(literal.text));
    case 'list': {
      const types = literal.items.map(inferLiteralType);
      const scalars = types.map((type) => (type?.kind === 'scalar' ? type.scalar : undefined));
      const [first = 'String'] = scalars;
      const isNumbers = scalars.every((one) => one === 'I64' || one === 'U64' || one === 'F64');
      // The widest; no type holds both a negative integer and one above 2^63.
      const widest = (['F64', 'U64', 'I64'] as const).find((one) => scalars.includes(one));
      if (isNumbers && widest !== undefined) return { kind: 'list', of: widest, nullable: false };
      return scalars.every((one) => one === first) ? { kind: 'list', of: first, nullable: false } : undefined;
    }
  }
}

function scalar(name: Scalar): ValueType {
  return { kind: 'scalar', scalar: name, nullable: false };
}

function numberType(text: string): Scalar {
  if (!/^-?\d+$/.test(text)) return 'F64';
  // More digits are out of every range.
  if (text.length > 20) return 'U64';
  return BigInt(text) >= 2n ** 63n ? 'U64' : 'I64';
}

/** Whether a literal has the syntax of the type; its value may still not fit. */
function matchesForm(literal: Literal, type: ValueType): boolean {
  switch (type.kind) {
    case 'enum':
      return literal.kind === 'string';
    case 'vector':
      return literal.kind === 'list' && literal.items.every((item) => item.kind === 'number');
    case 'list':
      return literal.kind === 'list' && literal.items.every((item) => item.kind === literalKind(type.of));
    case 'scalar':
      return literal.kind === literalKind(type.scalar);
  }
}

function literalKind(name: Scalar): Literal['kind'] {
  switch (name) {
    case 'String':
    case 'Blob':
      return 'string';
    case 'Bool':
      return 'boolean';
    case 'Date':
      return 'date';
    case 'DateTime':
      return 'datetime';
    default:
      return 'number';
  }
}

function literalSuggestion(literal: Literal, type: ValueType): string {
  if (literal.kind !== 'string' || type.kind !== 'scalar') return '';
  if (type.scalar === 'Date') return ` Write date(${printLiteral(literal)}).`;
  return type.scalar === 'DateTime' ? ` Write datetime(${printLiteral(literal)}).` : '';
}

/** For `parseValue`: as JSON, but 64-bit integers keep all their digits. */
function literalInput(literal: Literal, type: ValueType): unknown {
  if (literal.kind === 'list') {
    const of: ValueType = scalar(type.kind === 'list' ? type.of : 'F64');
    return literal.items.map((item) => literalInput(item, of));
  }
  if (literal.kind !== 'number') return literalValue(literal);
  const isLarge = type.kind === 'scalar' && (type.scalar === 'I64' || type.scalar === 'U64');
  return isLarge && /^-?\d+$/.test(literal.text) ? BigInt(literal.text) : Number(literal.text);
}

function shortLiteral(literal: Literal): string {
  const text = printLiteral(literal);
  return text.length > 60 ? `${text.slice(0, 57).toWellFormed()}…` : text;
}
