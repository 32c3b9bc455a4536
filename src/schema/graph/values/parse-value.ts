import { formatEnumValue, formatValueType } from '../../../language/format-value-type.js';
import type { Json } from '../../../model/json.js';
import { graphSchemaLimits } from '../../../model/limits.js';
import { didYouMean } from '../../../model/nearest.js';
import type { ValueType } from '../../../model/value-type.js';
import { parseScalar, type ScalarOptions } from './parse-scalar.js';
import { invalidValue, type ParsedValue } from './parsed-value.js';

/**
 * The canonical form of a value of this type, or why it is invalid. A value of another type is refused, never converted:
 * a wrong fact must not look like a right one.
 */
export function parseValue(type: ValueType, value: unknown, options: ScalarOptions = {}): ParsedValue {
  if (value === null || value === undefined) {
    return type.nullable ? { value: null } : typeMismatch(type, value);
  }
  switch (type.kind) {
    case 'scalar': {
      const parsed = parseScalar(type.scalar, value, options);
      return 'reason' in parsed ? typeMismatch(type, value, parsed.reason) : parsed;
    }
    case 'enum':
      return typeof value === 'string' && type.values.includes(value) ? { value } : notInEnum(type, value);
    case 'list':
      return parseItems(type, value, (item) => parseScalar(type.of, item, options));
    case 'vector':
      return parseVector(type, value);
  }
}

function parseVector(type: ValueType & { kind: 'vector' }, value: unknown): ParsedValue {
  if (Array.isArray(value) && value.length !== type.dimension)
    return typeMismatch(type, value, `it has ${value.length} numbers, not ${type.dimension}`);
  return parseItems(type, value, (item) => parseScalar('F64', item));
}

function parseItems(type: ValueType, value: unknown, parseItem: (item: unknown) => ParsedValue): ParsedValue {
  if (!Array.isArray(value)) return typeMismatch(type, value);
  if (value.length > graphSchemaLimits.listItems)
    return typeMismatch(
      type,
      value,
      `it has ${value.length} values; at most ${graphSchemaLimits.listItems} are allowed`,
    );
  const items: Json[] = [];
  for (const [index, item] of value.entries()) {
    const parsed = parseItem(item);
    if ('reason' in parsed)
      return typeMismatch(
        type,
        value,
        `item ${index} is ${describeValue(item)}${reasonSuffix(parsed.reason)}`,
      );
    items.push(parsed.value);
  }
  return { value: items };
}

function notInEnum(type: ValueType & { kind: 'enum' }, value: unknown): ParsedValue {
  if (typeof value !== 'string') return typeMismatch(type, value);
  const listed = type.values.slice(0, 10).map(formatEnumValue).join(', ');
  const more = type.values.length > 10 ? ', …' : '';
  return invalidValue(
    `must be one of ${listed}${more}, but is ${describeValue(value)}.${didYouMean(value, type.values)}`,
  );
}

function typeMismatch(type: ValueType, value: unknown, reason = ''): ParsedValue {
  return invalidValue(
    `must be ${formatValueType(type)}, but is ${describeValue(value)}${reasonSuffix(reason)}.`,
  );
}

function reasonSuffix(reason: string): string {
  return reason === '' ? '' : `: ${reason}`;
}

function describeValue(value: unknown): string {
  if (value === null) return 'null';
  if (value === undefined) return 'missing';
  if (Array.isArray(value)) return `a list of ${value.length}`;
  switch (typeof value) {
    case 'string':
      return `the string ${JSON.stringify(shortened(value))}`;
    case 'number':
    case 'bigint':
      return `the number ${shortened(String(value))}`;
    case 'boolean':
      return String(value);
    default:
      return 'an object';
  }
}

function shortened(text: string): string {
  return text.length > 60 ? `${text.slice(0, 57).toWellFormed()}…` : text;
}
