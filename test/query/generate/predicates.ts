import { formatValueType } from '../../../src/language/format-value-type.js';
import type { ValueType } from '../../../src/model/value-type.js';
import type { Known, QueryText } from './clauses.js';

/** A property of a variable. */
interface KnownProperty {
  readonly name: string;
  readonly type: ValueType;
  readonly typeText: string;
}

const text: ValueType = { kind: 'scalar', scalar: 'String', nullable: false };
const bool: ValueType = { kind: 'scalar', scalar: 'Bool', nullable: true };
const texts: ValueType = { kind: 'list', of: 'String', nullable: false };

const ofEveryNode: readonly (readonly [string, ValueType])[] = [
  ['name', text],
  ['summary', { ...text, nullable: true }],
  ['tags', texts],
  ['observations', texts],
];

/** What a variable has: of several types, what they have in common. */
export function propertiesOf({ schema }: QueryText, variable: Known): readonly KnownProperty[] {
  if (variable.kind === 'edge') {
    const own = [...variable.type.properties.values()].map(({ name, type }) => property(name, type));
    return [...own, ...['from', 'to', '@id', '@src', '@dst'].map((name) => property(name, text))];
  }
  const declared = variable.types.map((type) => schema.nodes.get(type)?.properties ?? new Map());
  const [first = new Map<string, { type: ValueType }>()] = declared;
  const common = [...first].flatMap(([name, { type }]) =>
    declared.every((properties) => properties.has(name)) ? [property(name, type)] : [],
  );
  const inherent = ofEveryNode.filter(([name]) => !declared.some((properties) => properties.has(name)));
  return [...common, ...inherent.map(([name, type]) => property(name, type)), property('@id', text)];
}

function property(name: string, type: ValueType): KnownProperty {
  return { name, type, typeText: formatValueType(type) };
}

/** What can be searched for words. */
export function textProperties(query: QueryText, known: readonly Known[]): readonly string[] {
  return known.flatMap((variable) =>
    propertiesOf(query, variable)
      .filter(({ name }) => !name.startsWith('@'))
      .filter(
        ({ name, type }) => (type.kind === 'scalar' && type.scalar === 'String') || name === 'observations',
      )
      .map(({ name }) => `$${variable.name}.${name}`),
  );
}

/** A predicate about what is known, of any form. */
export function predicate(query: QueryText, known: readonly Known[]): string {
  const { choose } = query;
  if (choose.chance(12)) return truths(query, known);
  if (choose.chance(25)) {
    const parts = choose.times(2, 3, () => comparison(query, known));
    const joined = parts.join(` ${choose.one(['and', 'or'])} `);
    return choose.chance(40) ? `not (${joined})` : joined;
  }
  return choose.chance(15) ? `not ${comparison(query, known)}` : comparison(query, known);
}

function comparison(query: QueryText, known: readonly Known[]): string {
  const { choose } = query;
  const variable = choose.one(known);
  const { name, type } = choose.one(propertiesOf(query, variable));
  const written = `$${variable.name}.${name}`;
  return choose.made([
    () => `${written} is ${choose.chance(50) ? 'not ' : ''}null`,
    () => twins(query, known) ?? ofType(query, written, type),
    () => twoProperties(query, known, written, type) ?? ofType(query, written, type),
    () => words(query, known) ?? ofType(query, written, type),
    ...Array.from({ length: 6 }, () => () => ofType(query, written, type)),
  ]);
}

function ofType(query: QueryText, written: string, type: ValueType): string {
  const { choose } = query;
  switch (type.kind) {
    case 'vector':
      return `${written} is null`;
    case 'list':
      return `${written} contains ${query.constant({ kind: 'scalar', scalar: type.of, nullable: false })}`;
    case 'enum':
      return choose.chance(40)
        ? `${written} in ["red", "blue"]`
        : `${written} ${choose.one(['=', '!='])} ${query.constant(type)}`;
    case 'scalar': {
      const { scalar } = type;
      if (scalar === 'Blob') return `${written} is not null`;
      if (scalar === 'Bool' && choose.chance(40)) return choose.chance(40) ? `not ${written}` : written;
      if (scalar === 'Bool') return `${written} ${choose.one(['=', '!='])} ${query.constant(type)}`;
      if (choose.chance(15))
        return `${written} in ${query.constant({ kind: 'list', of: scalar, nullable: false })}`;
      if (scalar === 'String' && choose.chance(40))
        return `${written} ${choose.one(['contains', 'starts_with'])} ${query.constant(type)}`;
      if (scalar === 'I32' && choose.chance(20)) return `${written} ${choose.one(['<', '>', '='])} 1.5`;
      if (scalar === 'DateTime' && choose.chance(20)) return `${written} < now()`;
      return `${written} ${choose.one(['=', '!=', '<', '<=', '>', '>='])} ${query.constant(type)}`;
    }
  }
}

/** Conditions as values: compared with each other, or tested for null; and flags by themselves. */
function truths(query: QueryText, known: readonly Known[]): string {
  const { choose } = query;
  const one = () => `(${comparison(query, known)})`;
  return choose.made([
    () => `${one()} ${choose.one(['=', '!='])} ${one()}`,
    () => `${one()} is ${choose.chance(50) ? 'not ' : ''}null`,
    () => `${one()} = ${query.constant(bool)}`,
    () => `(${query.constant(bool)}) or ${one()}`,
  ]);
}

/** A comparison as a value. */
export function truth(query: QueryText, known: readonly Known[]): string {
  return query.choose.chance(30) ? `not ${comparison(query, known)}` : comparison(query, known);
}

/** That two variables are, or are not, the same. */
function twins({ choose }: QueryText, known: readonly Known[]): string | undefined {
  const nodes = known.filter((variable) => variable.kind === 'node');
  const pairs = nodes.flatMap((a) =>
    nodes
      .filter((b) => a !== b && a.types.some((type) => b.types.includes(type)))
      .map((b) => `$${a.name} ${choose.one(['=', '!='])} $${b.name}`),
  );
  return pairs.length === 0 ? undefined : choose.one(pairs);
}

/** A comparison of one property with another of the same type. */
function twoProperties(
  query: QueryText,
  known: readonly Known[],
  written: string,
  type: ValueType,
): string | undefined {
  if (type.kind !== 'scalar' || type.scalar === 'Blob') return undefined;
  const others = known.flatMap((variable) =>
    propertiesOf(query, variable)
      .filter((other) => other.type.kind === 'scalar' && other.type.scalar === type.scalar)
      .map((other) => `$${variable.name}.${other.name}`),
  );
  const operators = type.scalar === 'Bool' ? ['=', '!='] : ['=', '!=', '<', '>='];
  return `${written} ${query.choose.one(operators)} ${query.choose.one(others)}`;
}

function words(query: QueryText, known: readonly Known[]): string | undefined {
  const { choose } = query;
  const searched = textProperties(query, known);
  if (searched.length === 0) return undefined;
  const sought = choose.one([
    '"fox"',
    '"quick fox"',
    '"fix"',
    '"qiuck"',
    '"O\'Brien OR"',
    '"😀"',
    query.constant(text),
  ]);
  const edits = choose.chance(30) ? `, ${choose.int(0, 3)}` : '';
  return choose.made([
    () => `search(${choose.one(searched)}, ${sought})`,
    () => `match_text(${choose.one(searched)}, ${sought})`,
    () => `fuzzy(${choose.one(searched)}, ${sought}${edits})`,
  ]);
}
