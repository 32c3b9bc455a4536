import { formatEnumValue, formatValueType } from '../../../language/format-value-type.js';
import type { Json } from '../../../model/json.js';
import { graphSchemaLimits } from '../../../model/limits.js';
import { didYouMean } from '../../../model/nearest.js';
import type { ValueType } from '../../../model/value-type.js';
import { foundText } from './found-text.js';
import { parseScalar, type ScalarOptions } from './parse-scalar.js';
import { type Parsed, refused } from './parsed.js';

/**
 * The canonical form of a value of this type, or why it is none. A value of another type is refused, never turned into
 * one: that is what keeps a wrong fact from looking like a right one.
 */
export function parseValue(type: ValueType, value: unknown, options: ScalarOptions = {}): Parsed {
  if (value === null || value === undefined) {
    return type.nullable ? { value: null } : wrong(type, value);
  }
  switch (type.kind) {
    case 'scalar': {
      const parsed = parseScalar(type.scalar, value, options);
      return 'reason' in parsed ? wrong(type, value, parsed.reason) : parsed;
    }
    case 'enum':
      return typeof value === 'string' && type.values.includes(value) ? { value } : notMember(type, value);
    case 'list':
      return parseItems(type, value, (item) => parseScalar(type.of, item, options));
    case 'vector':
      return parseVector(type, value);
  }
}

function parseVector(type: ValueType & { kind: 'vector' }, value: unknown): Parsed {
  if (Array.isArray(value) && value.length !== type.dimension)
    return wrong(type, value, `it has ${value.length} numbers, not ${type.dimension}`);
  return parseItems(type, value, (item) => parseScalar('F64', item));
}

function parseItems(type: ValueType, value: unknown, parseItem: (item: unknown) => Parsed): Parsed {
  if (!Array.isArray(value)) return wrong(type, value);
  if (value.length > graphSchemaLimits.listItems)
    return wrong(
      type,
      value,
      `it has ${value.length} values, and at most ${graphSchemaLimits.listItems} are kept`,
    );
  const items: Json[] = [];
  for (const [index, item] of value.entries()) {
    const parsed = parseItem(item);
    if ('reason' in parsed)
      return wrong(type, value, `item ${index} is ${foundText(item)}${because(parsed.reason)}`);
    items.push(parsed.value);
  }
  return { value: items };
}

function notMember(type: ValueType & { kind: 'enum' }, value: unknown): Parsed {
  if (typeof value !== 'string') return wrong(type, value);
  const listed = type.values.slice(0, 10).map(formatEnumValue).join(', ');
  const more = type.values.length > 10 ? ', …' : '';
  return refused(
    `must be one of ${listed}${more}, but is ${foundText(value)}.${didYouMean(value, type.values)}`,
  );
}

function wrong(type: ValueType, value: unknown, reason = ''): Parsed {
  return refused(`must be ${formatValueType(type)}, but is ${foundText(value)}${because(reason)}.`);
}

function because(reason: string): string {
  return reason === '' ? '' : `: ${reason}`;
}
