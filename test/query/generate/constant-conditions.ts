import fc from 'fast-check';
import type { Json } from '../../../src/model/json.js';
import type { Scalar, ValueType } from '../../../src/model/value-type.js';
import { parseGraphSchema } from '../../../src/schema/graph/parse-graph-schema.js';
import { Choices } from './choices.js';
import { QueryText } from './clauses.js';
import { value } from './values.js';

const noTypes = parseGraphSchema('');
const numbers: readonly Scalar[] = ['I32', 'U32', 'I64', 'U64', 'F64'];
const scalars: readonly Scalar[] = [...numbers, 'String', 'Bool', 'Date', 'DateTime', 'Blob'];

/** Conditions that mention nothing but literals and parameters. */
export const conditionsOnConstants = fc.gen().map((draw) => {
  const choose = new Choices(draw);
  const text = new QueryText(choose, noTypes);
  const condition = anyCondition(text, 2);
  return { condition, declared: text.declarations(), params: text.parameters() };
});

function anyCondition(text: QueryText, depth: number): string {
  const { choose } = text;
  if (depth === 0 || choose.chance(40)) return comparison(text);
  const part = () => `(${anyCondition(text, depth - 1)})`;
  return choose.made([
    () => choose.times(2, 3, part).join(` ${choose.one(['and', 'or'])} `),
    () => `not ${part()}`,
    () => `${part()} ${choose.one(['=', '!='])} ${part()}`,
    () => `${part()} is ${choose.chance(50) ? 'not ' : ''}null`,
  ]);
}

function comparison(text: QueryText): string {
  const { choose } = text;
  const scalar = choose.one(scalars);
  const type: ValueType = { kind: 'scalar', scalar, nullable: false };
  const list: ValueType = { kind: 'list', of: scalar, nullable: false };
  const left = parameter(text, type);
  const operators = scalar === 'Bool' || scalar === 'Blob' ? ['=', '!='] : ['=', '!=', '<', '<=', '>', '>='];
  return choose.made([
    () => `${left} ${choose.one(operators)} ${text.constant(type)}`,
    () => `${left} ${choose.one(operators)} ${parameter(text, sameFamily(choose, type))}`,
    () => `${left} is ${choose.chance(50) ? 'not ' : ''}null`,
    () => `${left} in ${text.constant(list)}`,
    () => `${parameter(text, list)} contains ${text.constant(type)}`,
    () => (scalar === 'String' ? `${left} contains ${text.constant(type)}` : `${left} = ${left}`),
    () => (scalar === 'String' ? `${left} starts_with ${text.constant(type)}` : `${left} != ${left}`),
    () => (scalar === 'DateTime' ? `${left} < now()` : `now() = now()`),
  ]);
}

function sameFamily(choose: Choices, type: ValueType): ValueType {
  const isNumber = type.kind === 'scalar' && numbers.includes(type.scalar);
  return isNumber ? { ...type, scalar: choose.one(numbers) } : type;
}

function parameter(text: QueryText, type: ValueType): string {
  const declared = { ...type, nullable: text.choose.chance(40) };
  const given: Json = value(text.choose, declared);
  return text.parameter(declared, given);
}
