import { describe, expect, test } from 'vitest';
import { parseGraphSchema } from './parse-graph-schema.js';

const example = `
node Recipe @description("a dish") { slug: String @key  minutes: I32?  level: enum(easy, medium, hard)  tags: [String]?  note: String @index
                                     taste: Vector(3)? @embed("note")  @range(minutes, 1..600) }
node Cook { email: String @key  born: Date? }
edge Wrote: Recipe -> Cook @card(1..1)
edge Tried: Cook -> Recipe { stars: U32  on: DateTime? }
`;

describe('a sound schema', () => {
  const schema = parseGraphSchema(example);

  test('keeps its source', () => {
    expect(schema.source).toBe(example);
  });

  test('has its nodes with their properties, key, index and ranges', () => {
    const recipe = schema.nodes.get('Recipe');
    expect([...(recipe?.properties.keys() ?? [])]).toEqual([
      'slug',
      'minutes',
      'level',
      'tags',
      'note',
      'taste',
    ]);
    expect(recipe).toMatchObject({
      name: 'Recipe',
      implements: [],
      key: ['slug'],
      unique: [],
      index: [['note']],
      ranges: [{ property: 'minutes', min: 1, max: 600 }],
      checks: [],
      description: 'a dish',
      instruction: null,
      renamedFrom: null,
    });
    expect(recipe?.properties.get('level')?.type).toEqual({
      kind: 'enum',
      values: ['easy', 'medium', 'hard'],
      nullable: false,
    });
    expect(recipe?.properties.get('tags')?.type).toEqual({ kind: 'list', of: 'String', nullable: true });
    expect(recipe?.properties.get('taste')).toMatchObject({
      type: { kind: 'vector', dimension: 3, nullable: true },
      embedFrom: 'note',
    });
  });

  test('has its edges by lower-cased name, with ends and cardinality', () => {
    expect([...schema.edges.keys()]).toEqual(['wrote', 'tried']);
    expect(schema.edges.get('wrote')).toMatchObject({
      name: 'Wrote',
      from: 'Recipe',
      to: 'Cook',
      cardinality: { min: 1, max: 1 },
      key: null,
    });
    expect(schema.edges.get('tried')?.cardinality).toEqual({ min: 0, max: null });
  });
});

const node = (body: string) => parseGraphSchema(`node A { ${body} }`).nodes.get('A');
const edge = (rest: string) => parseGraphSchema(`node A { x: String } edge E: A -> A ${rest}`).edges.get('e');

describe('two spellings of the same schema are equal', () => {
  test.each([
    ['key', 'x: String @key', 'x: String @key(x)'],
    ['unique', 'x: String @unique', 'x: String @unique(x)'],
    ['index', 'x: String @index', 'x: String @index(x)'],
  ] as const)('@%s on a property and in the body', (constraint, short, long) => {
    expect(node(short)?.[constraint]).toEqual(node(long)?.[constraint]);
  });

  test('commas between properties, or none', () => {
    expect(node('x: String, y: I32,')).toEqual(node('x: String y: I32'));
  });

  test('a repeated constraint counts once', () => {
    expect(node('x: String @unique @unique(x) @unique(x)')?.unique).toEqual([['x']]);
  });
});

test('keys, unique and index may have several members, in their order', () => {
  expect(node('x: String y: Date z: F64? @key(y, x) @unique(x, z) @index(z, x, y)')).toMatchObject({
    key: ['y', 'x'],
    unique: [['x', 'z']],
    index: [['z', 'x', 'y']],
  });
});

test('the key of an edge is kept without its endpoints, which every edge has', () => {
  expect(edge('{ on: Date @key(src, dst, on) }')?.key).toEqual(['on']);
  expect(edge('{ on: Date @key(@src, @dst, on) }')?.key).toEqual(['on']);
  expect(edge('{ @key(dst, src) }')?.key).toBeNull();
  expect(edge('{ on: Date @unique(src, on) }')?.unique).toEqual([['src', 'on']]);
});

test('a range may lack a bound', () => {
  expect(node('x: F32 y: I64? @range(x, ..100) @range(y, -5..)')?.ranges).toEqual([
    { property: 'x', min: null, max: 100 },
    { property: 'y', min: -5, max: null },
  ]);
});

test('a default is kept in its canonical form', () => {
  const defaults = node(`
    a: I64 @default(9223372036854775807)
    b: DateTime @default("2026-01-01T02:00:00+02:00")
    c: enum(low, high) @default(low)
    d: [I32]? @default([1, 2])
    e: Date @default(date("2026-02-28"))
    f: Bool @default(false)
    g: F64 @default(-1.5e3)
    h: String @default("")
  `)?.properties;
  expect([...(defaults?.values() ?? [])].map((property) => property.default)).toEqual([
    '9223372036854775807',
    '2026-01-01T00:00:00.000Z',
    'low',
    [1, 2],
    '2026-02-28',
    false,
    -1500,
    '',
  ]);
});

test('descriptions, instructions and old names are kept, on types and on properties', () => {
  const schema = parseGraphSchema(`
    node A @description("d") @instruction("i") @rename_from("Old") { x: String @description("dx") @rename_from(old) }
    edge E: A -> A @rename_from("F") @description("de")
  `);
  expect(schema.nodes.get('A')).toMatchObject({ description: 'd', instruction: 'i', renamedFrom: 'Old' });
  expect(schema.nodes.get('A')?.properties.get('x')).toMatchObject({
    description: 'dx',
    instruction: null,
    renamedFrom: 'old',
  });
  expect(schema.edges.get('e')).toMatchObject({ description: 'de', renamedFrom: 'F' });
});

test('annotations without a meaning here are kept as written', () => {
  expect(node('x: String @ui(hidden, width: 3, label = "L") @pii')?.properties.get('x')?.annotations).toEqual(
    [
      { name: 'ui', value: 'hidden', named: { width: 3, label: 'L' } },
      { name: 'pii', value: undefined, named: {} },
    ],
  );
});

test('a property may be called what every node has', () => {
  expect(() => node('name: String @key summary: String tags: [String] observations: I32')).not.toThrow();
});

test('nodes and edges may share a name', () => {
  expect(() => parseGraphSchema('node Wrote {} edge Wrote: Wrote -> Wrote')).not.toThrow();
});

describe('interfaces', () => {
  test('give their properties to the nodes that implement them, before their own', () => {
    const schema = parseGraphSchema(`
      interface Named { name: String @index }
      interface Dated { on: Date? }
      node A implements Named, Dated { x: I32  name: String @unique }
    `);
    const a = schema.nodes.get('A');
    expect([...(a?.properties.keys() ?? [])]).toEqual(['name', 'on', 'x']);
    expect(a).toMatchObject({ implements: ['Named', 'Dated'], index: [['name']], unique: [['name']] });
    expect(schema.interfaces.get('Named')?.properties.get('name')?.type.kind).toBe('scalar');
  });

  test('keep what they say of a property that is declared again', () => {
    const schema = parseGraphSchema(`
      interface I { x: I32 @default(1) @description("d") @a  v: Vector(2)? @embed("t")  t: String }
      node A implements I { x: I32 @description("e") @b  v: Vector(2)? }
    `);
    const properties = schema.nodes.get('A')?.properties;
    expect(properties?.get('x')).toMatchObject({
      default: 1,
      description: 'e',
      annotations: [{ name: 'a' }, { name: 'b' }],
    });
    expect(properties?.get('v')).toMatchObject({ embedFrom: 't', embedModel: null });
  });

  test('may give the key', () => {
    const schema = parseGraphSchema('interface I { id: String @key } node A implements I {}');
    expect(schema.nodes.get('A')?.key).toEqual(['id']);
  });
});
