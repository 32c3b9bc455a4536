import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseGraphSchema } from '../parse-graph-schema.js';
import { planSchemaChange } from './plan-schema-change.js';
import type { SchemaPlan } from './schema-step.js';

/** The plan from one source to another, on a graph in which each type named has one row, which holds what is to go. */
function plan(
  before: string | null,
  after: string,
  withRows: readonly string[] = [],
  { holding = 1 }: { readonly holding?: number } = {},
): SchemaPlan {
  return planSchemaChange(before === null ? null : parseGraphSchema(before), parseGraphSchema(after), {
    countRows: (_, type) => (withRows.includes(type) ? 1 : 0),
    countRowsWithValues: ({ type }) => (withRows.includes(type) ? holding : 0),
  });
}

/** `step Type.property`, enough to tell the steps of a plan. */
function outline({ steps }: SchemaPlan): string[] {
  return steps.map((step) => {
    const property = 'property' in step && step.property !== null ? `.${step.property}` : '';
    const from = 'from' in step ? ` from ${step.from}` : '';
    return `${step.step} ${step.type}${property}${from}`;
  });
}

const node = (body: string) => `node A { ${body} }`;

test('the same schema takes no steps', () => {
  const source = `
    interface I { name: String }
    node A implements I {
      x: I32 @key
      y: enum(a, b)? @default(a)
      s: String @unique @index
      @range(x, 1..)
      @check(s, "^[a-z]+$")
      @check(s, "a")
      @unique(x, s)
      @index(x, s)
    }
    edge E: A -> A @card(0..1) { z: Date? @index  w: String @check(w, "b") }
  `;
  expect(plan(source, `// the same\n${source}`, ['A', 'E']).steps).toEqual([]);
});

describe('the first schema of a graph', () => {
  test('adds its types', () => {
    expect(outline(plan(null, 'interface I {} node A implements I {} edge E: A -> A'))).toEqual([
      'add_type I',
      'add_type A',
      'add_type E',
    ]);
  });

  test('says that existing rows must match', () => {
    const [step] = plan(null, node(''), ['A']).steps;
    expect(step).toMatchObject({
      step: 'add_type',
      supported: true,
      message: expect.stringMatching(/The existing row must match it/),
    });
  });
});

describe('types', () => {
  test('that are new are added', () => {
    expect(plan(node(''), `${node('')} node B { x: I32 }`).steps).toEqual([
      {
        step: 'add_type',
        kind: 'node',
        type: 'B',
        message: 'The node B is added.',
        supported: true,
        data_loss: false,
      },
    ]);
  });

  test('that are gone are dropped, edges before nodes', () => {
    const dropped = plan('node A {} node B {} edge E: A -> B', 'node A {}');
    expect(outline(dropped)).toEqual(['drop_type E', 'drop_type B']);
    expect(dropped.data_loss).toBe(false);
  });

  test('that are gone with their rows lose data', () => {
    const dropped = plan('node A {} node B {}', 'node A {}', ['B']);
    expect(dropped.data_loss).toBe(true);
    expect(dropped.steps).toMatchObject([{ step: 'drop_type', type: 'B', data_loss: true, supported: true }]);
  });

  test('keep their rows under a new name', () => {
    const renamed = plan('node A { x: I32 }', 'node B @rename_from("A") { x: I32 }', ['A']);
    expect(renamed.steps).toMatchObject([
      { step: 'rename_type', kind: 'node', type: 'B', from: 'A', data_loss: false },
    ]);
  });

  test('are dropped and added if nobody says that they were renamed', () => {
    expect(outline(plan('node A {}', 'node B {}', ['A']))).toEqual(['add_type B', 'drop_type A']);
  });

  test('of edges follow their renamed ends', () => {
    const before = 'node A {} edge E: A -> A';
    expect(outline(plan(before, 'node B @rename_from("A") {} edge E: B -> B', ['A', 'E']))).toEqual([
      'rename_type B from A',
    ]);
  });

  test('of edges in another spelling are renamed', () => {
    expect(outline(plan('node A {} edge KNOWS: A -> A', 'node A {} edge Knows: A -> A'))).toEqual([
      'rename_type Knows from KNOWS',
    ]);
  });

  test('a renamed edge keeps its rows', () => {
    const before = 'node A {} edge E: A -> A';
    expect(outline(plan(before, 'node A {} edge F: A -> A @rename_from("e")', ['E']))).toEqual([
      'rename_type F from E',
    ]);
  });
});

describe('@rename_from that stays in the source', () => {
  const after = 'node B @rename_from("A") { y: I32 @rename_from("x") }';

  test('is applied once', () => {
    expect(outline(plan('node A { x: I32 }', after, ['A']))).toEqual([
      'rename_type B from A',
      'rename_property B.y from x',
    ]);
    expect(plan(after, after, ['B']).steps).toEqual([]);
  });

  test('is not applied when the old name comes back for something new', () => {
    expect(outline(plan(after, `${after} node A {}`, ['B']))).toEqual(['add_type A']);
    expect(plan(`${after} node A {}`, `${after} node A {}`, ['A', 'B']).steps).toEqual([]);
  });

  test('may be followed by another rename', () => {
    expect(outline(plan('node B @rename_from("A") {}', 'node C @rename_from("B") {}', ['B']))).toEqual([
      'rename_type C from B',
    ]);
  });

  test('in a chain gives each row the name of the next, in an order that works', () => {
    const chain = 'node B @rename_from("A") {} node C @rename_from("B") {}';
    expect(outline(plan('node A {} node B {}', chain, ['A', 'B']))).toEqual([
      'rename_type C from B',
      'rename_type B from A',
    ]);
    expect(plan(chain, chain, ['B', 'C']).steps).toEqual([]);
  });

  test('onto a name that is in use is taken for applied, so that what is lost is said', () => {
    const taken = plan('node A {} node B {}', 'node B @rename_from("A") {}', ['A', 'B']);
    expect(outline(taken)).toEqual(['drop_type A']);
    expect(taken.data_loss).toBe(true);
  });

  test('may coexist with a new type of the old name', () => {
    expect(
      outline(plan('node A { x: I32 }', 'node A {} node B @rename_from("A") { x: I32 }', ['A'])),
    ).toEqual(['rename_type B from A', 'add_type A']);
  });

  test('of two that want each other’s names is refused, since neither gives way; without rows nothing is to be done', () => {
    const swap = 'node A @rename_from("B") {} node B @rename_from("A") {}';
    expect(plan('node A {} node B {}', swap, ['A', 'B'])).toMatchObject({
      supported: false,
      steps: [
        { step: 'unsupported_change', type: 'A', reason: expect.stringMatching(/both names are in use/) },
        { step: 'unsupported_change', type: 'B' },
      ],
    });
    expect(plan('node A {} node B {}', swap).steps).toEqual([]);
    expect(plan(swap, swap, ['A', 'B']).steps).toEqual([]);
  });
});

describe('properties', () => {
  test('that may be null are added', () => {
    expect(plan(node(''), node('x: I32?'), ['A']).steps).toMatchObject([
      { step: 'add_property', type: 'A', property: 'x', default: null, supported: true, data_loss: false },
    ]);
  });

  test('that are required come with a default for the rows that are there', () => {
    expect(plan(node(''), node('x: I32 @default(7)'), ['A']).steps).toMatchObject([
      { step: 'add_property', property: 'x', default: 7, supported: true },
    ]);
  });

  test('that are required without a default cannot be added to rows', () => {
    const refused = plan(node(''), node('x: I32'), ['A']);
    expect(refused.supported).toBe(false);
    expect(refused.steps).toMatchObject([
      {
        step: 'unsupported_change',
        property: 'x',
        supported: false,
        reason: expect.stringMatching(/make it nullable or give it a @default/),
      },
    ]);
    expect(plan(node(''), node('x: I32')).supported).toBe(true);
  });

  test('that are gone lose data if there are rows', () => {
    expect(plan(node('x: I32'), node(''), ['A'])).toMatchObject({
      supported: true,
      data_loss: true,
      steps: [{ step: 'drop_property', property: 'x', data_loss: true }],
    });
    expect(plan(node('x: I32'), node('')).data_loss).toBe(false);
  });

  test('keep their values under a new name, and constraints follow', () => {
    const before = node('x: I32 @key  z: I32  @unique(x, z)  @range(x, 1..2)');
    const after = node('y: I32 @key @rename_from("x")  z: I32  @unique(y, z)  @range(y, 1..2)');
    expect(outline(plan(before, after, ['A']))).toEqual(['rename_property A.y from x']);
  });

  test('do not take each other’s names, which would be done unseen or not at all', () => {
    const swap = node('x: I32 @rename_from("y")  y: I32 @rename_from("x")');
    expect(outline(plan(node('x: I32  y: I32'), swap, ['A']))).toEqual([
      'unsupported_change A.x',
      'unsupported_change A.y',
    ]);
    expect(plan(swap, swap, ['A']).steps).toEqual([]);
  });

  test('may be renamed and widened at once', () => {
    expect(outline(plan(node('x: I32'), node('y: I64? @rename_from(x)'), ['A']))).toEqual([
      'rename_property A.y from x',
      'update_metadata A.y',
    ]);
  });
});

describe('types of values', () => {
  test.each([
    ['I32', 'I32?'],
    ['I32', 'I64'],
    ['I32?', 'I64?'],
    ['U32', 'U64'],
    ['U32', 'I64'],
    ['I32', 'F64'],
    ['U32?', 'F64?'],
    ['F32', 'F64'],
    ['[I32]', '[I64]?'],
    ['enum(a, b)', 'String'],
    ['enum(a, b)', 'enum(b, a)'],
  ])('%s may become %s under rows', (before, after) => {
    expect(plan(node(`x: ${before}`), node(`x: ${after}`), ['A'])).toMatchObject({
      supported: true,
      data_loss: false,
      steps: [{ step: 'update_metadata', property: 'x' }],
    });
  });

  test.each([
    ['I64', 'I32'],
    ['String', 'I32'],
    ['I32', 'String'],
    ['I32', 'F32'],
    ['I64', 'F64'],
    ['F64', 'F32'],
    ['I32', 'U32'],
    ['I32', '[I32]'],
    ['String', 'enum(a)'],
    ['enum(a, b)', 'enum(a)'],
    ['Vector(2)', 'Vector(3)'],
    ['Date', 'DateTime'],
    ['I32?', 'I32'],
  ])('%s cannot become %s under rows', (before, after) => {
    const refused = plan(node(`x: ${before}`), node(`x: ${after}`), ['A']);
    expect(refused.supported).toBe(false);
    expect(refused.steps).toMatchObject([{ step: 'unsupported_change', property: 'x' }]);
    expect(plan(node(`x: ${before}`), node(`x: ${after}`)).supported).toBe(true);
  });

  test('an enum can be extended', () => {
    expect(plan(node('x: enum(a, b)'), node('x: enum(a, c, b, d)?'), ['A']).steps).toMatchObject([
      { step: 'extend_enum', property: 'x', values: ['c', 'd'], supported: true },
      { step: 'update_metadata', property: 'x' },
    ]);
  });

  test('trust 28: an enum loses values that no row holds', () => {
    const narrower = plan(node('x: enum(a, b, c)'), node('x: enum(a)'), ['A'], { holding: 0 });
    expect(narrower).toMatchObject({
      ...{ supported: true, data_loss: false },
      steps: [
        {
          ...{ step: 'narrow_enum', property: 'x', values: ['b', 'c'] },
          message: 'A.x may no longer be b, c.',
        },
      ],
    });
    expect(plan(node('x: enum(a, b)?'), node('x: enum(c, b)?'), ['A'], { holding: 0 }).steps).toMatchObject([
      { step: 'extend_enum', values: ['c'] },
      { step: 'narrow_enum', values: ['a'] },
    ]);
  });

  test('trust 28: an enum loses values that rows hold, if they can do without, as data loss', () => {
    expect(plan(node('x: enum(a, b)?'), node('x: enum(a)?'), ['A'])).toMatchObject({
      ...{ supported: true, data_loss: true },
      steps: [
        {
          step: 'narrow_enum',
          default: null,
          message: expect.stringContaining('1 row with such a value loses it'),
        },
      ],
    });
    expect(plan(node('x: enum(a, b) @default(a)'), node('x: enum(a) @default(a)'), ['A'])).toMatchObject({
      ...{ supported: true, data_loss: true },
      steps: [{ step: 'narrow_enum', default: 'a', message: expect.stringContaining('gets "a"') }],
    });
    for (const [before, after, reason] of [
      ['x: enum(a, b)', 'x: enum(a)', /give it a @default/],
      ['x: enum(a, b) @key', 'x: enum(a) @key', /in their key/],
    ] as const)
      expect(plan(node(before), node(after), ['A'])).toMatchObject({
        supported: false,
        steps: [{ step: 'unsupported_change', reason: expect.stringMatching(reason) }],
      });
  });

  test('a property becomes required if a default fills the rows without it', () => {
    expect(plan(node('x: I32?'), node('x: I32 @default(1)'), ['A']).steps).toMatchObject([
      { step: 'add_constraint', constraint: { kind: 'required', property: 'x', default: 1 } },
      { step: 'update_metadata', property: 'x' },
    ]);
  });
});

describe('constraints', () => {
  test.each([
    ['x: I32', 'x: I32 @unique', { kind: 'unique', properties: ['x'] }],
    ['x: I32', 'x: I32 @range(x, 1..)', { kind: 'range', property: 'x', min: 1, max: null }],
    [
      'x: U64 @range(x, ..18446744073709551614)',
      'x: U64 @range(x, ..18446744073709551613)',
      { kind: 'range', property: 'x', min: null, max: '18446744073709551613' },
    ],
    ['x: I32 @range(x, 1..9)', 'x: I32 @range(x, 1..5)', { kind: 'range', property: 'x', min: 1, max: 5 }],
    ['x: I32 @range(x, 1..9)', 'x: I32 @range(x, 2..10)', { kind: 'range', property: 'x', min: 2, max: 10 }],
    ['x: String', 'x: String @check(x, "a")', { kind: 'check', property: 'x', pattern: 'a' }],
  ])('from %j to %j are added, and existing rows must satisfy them', (before, after, constraint) => {
    expect(plan(node(before), node(after), ['A']).steps).toMatchObject([
      {
        step: 'add_constraint',
        constraint,
        supported: true,
        message: expect.stringMatching(/The existing row must satisfy it/),
      },
    ]);
  });

  test('another pattern of a check is one that is added, and one that is dropped', () => {
    const [before, after] = [node('x: String @check(x, "a")'), node('x: String @check(x, "b")')];
    expect(plan(before, after, ['A']).steps).toMatchObject([
      { step: 'add_constraint', constraint: { kind: 'check', property: 'x', pattern: 'b' } },
      { step: 'update_metadata', property: 'x', message: '@check(x, "a") of A is dropped.' },
    ]);
  });

  test.each([
    ['@unique', '@unique'],
    ['@index', '@index'],
    ['@check(x, "a")', '@check(y, "a")'],
  ])('%s goes with its property to its new name', (before, after) => {
    expect(
      outline(plan(node(`x: String ${before}`), node(`y: String @rename_from("x") ${after}`), ['A'])),
    ).toEqual(['rename_property A.y from x']);
  });

  test('an index is added, and no row can break it', () => {
    expect(plan(node('x: I32'), node('x: I32 @index'), ['A']).steps).toMatchObject([
      {
        step: 'add_constraint',
        constraint: { kind: 'index', properties: ['x'] },
        message: '@index(x) is added to A.',
      },
    ]);
  });

  test.each([
    ['x: I32 @unique', 'x: I32'],
    ['x: I32 @index', 'x: I32'],
    ['x: I32 @range(x, 1..)', 'x: I32'],
    ['x: I32 @range(x, 1..5)', 'x: I32 @range(x, 0..)'],
    ['x: String @check(x, "a")', 'x: String'],
  ])('from %j to %j only become looser', (before, after) => {
    expect(plan(node(before), node(after), ['A'])).toMatchObject({
      supported: true,
      data_loss: false,
      steps: [{ step: 'update_metadata' }],
    });
  });

  test.each([
    ['x: I32 y: I32', 'x: I32 @key y: I32'],
    ['x: I32 @key y: I32', 'x: I32 y: I32 @key'],
    ['x: I32 @key y: I32', 'x: I32 y: I32 @key(x, y)'],
    ['x: I32 @key y: I32', 'x: I32 y: I32'],
  ])('a key from %j to %j needs a type without rows', (before, after) => {
    expect(plan(node(before), node(after), ['A'])).toMatchObject({
      supported: false,
      steps: [
        { step: 'unsupported_change', reason: expect.stringMatching(/identified by their current key/) },
      ],
    });
    expect(plan(node(before), node(after)).supported).toBe(true);
  });
});

describe('edges', () => {
  const edge = (rest: string) => `node A {} node B {} edge E: ${rest}`;

  test('cannot connect other types while there are some', () => {
    expect(plan(edge('A -> B'), edge('A -> A'), ['E'])).toMatchObject({
      supported: false,
      steps: [{ step: 'unsupported_change', kind: 'edge' }],
    });
    expect(outline(plan(edge('A -> B'), edge('A -> A')))).toEqual(['update_metadata E']);
  });

  test('have cardinalities that can be tightened and loosened', () => {
    expect(plan(edge('A -> B'), edge('A -> B @card(0..1)'), ['E']).steps).toMatchObject([
      { step: 'add_constraint', constraint: { kind: 'cardinality', min: 0, max: 1 } },
    ]);
    expect(plan(edge('A -> B @card(1..1)'), edge('A -> B @card(0..2)'), ['E']).steps).toMatchObject([
      { step: 'update_metadata' },
    ]);
  });

  test('that every node must have cannot be added while there are nodes without', () => {
    const added = plan('node A {}', 'node A {} edge E: A -> A @card(1..1)', ['A']);
    expect(added.supported).toBe(false);
    expect(outline(added)).toEqual(['add_type E', 'unsupported_change E']);
    expect(plan('node A {}', 'node A {} edge E: A -> A @card(1..1)').supported).toBe(true);
  });
});

describe('what no row can break', () => {
  test.each([
    ['node A {}', 'node A @description("d") {}'],
    ['node A {}', 'node A @instruction("i") {}'],
    ['node A {}', 'node A @anything {}'],
    ['node A { x: I32? }', 'node A { x: I32? @description("d") }'],
    ['node A { x: I32? }', 'node A { x: I32? @default(1) }'],
    ['node A { x: String v: Vector(2)? }', 'node A { x: String v: Vector(2)? @embed("x") }'],
  ])('from %j to %j is metadata', (before, after) => {
    expect(plan(before, after, ['A'])).toMatchObject({
      supported: true,
      steps: [{ step: 'update_metadata' }],
    });
  });

  test('a new interface that a node implements', () => {
    expect(
      outline(plan('node A { x: I32 }', 'interface I { x: I32 } node A implements I {}', ['A'])),
    ).toEqual(['add_type I', 'update_metadata A']);
  });

  test('an interface that is dropped or changed', () => {
    expect(outline(plan('interface I { x: I32 } node A {}', 'node A {}'))).toEqual(['drop_type I']);
    expect(outline(plan('interface I { x: I32 }', 'interface I { x: I64 }'))).toEqual(['update_metadata I']);
  });

  test('a property that an interface adds to the nodes is a step of theirs', () => {
    const before = 'interface I {} node A implements I {}';
    expect(plan(before, 'interface I { x: I32 } node A implements I {}', ['A']).supported).toBe(false);
  });
});

test('whatever the two schemas are, a schema that is in force needs no steps to itself, and every step has a message', () => {
  const bodies = fc.uniqueArray(
    fc.record({
      name: fc.constantFrom('a', 'b', 'c', 'd'),
      type: fc.constantFrom('I32', 'I64?', 'String', 'enum(x, y)', 'enum(x)', '[F32]', 'Vector(2)?'),
      from: fc.option(fc.constantFrom('a', 'b', 'c', 'd')),
    }),
    { selector: ({ name }) => name },
  );
  const source = (types: readonly { name: string; from: string | null; body: typeof body }[]) =>
    types
      .map(
        ({ name, from, body: properties }) =>
          `node ${name}${renamed(name, from)} { ${properties.map((p) => `${p.name}: ${p.type}${renamed(p.name, p.from)}`).join(' ')} }`,
      )
      .join('\n');
  const renamed = (name: string, from: string | null) =>
    from === null || from === name ? '' : ` @rename_from("${from}")`;
  const body: { name: string; type: string; from: string | null }[] = [];
  const schemas = fc
    .uniqueArray(
      fc.record({
        name: fc.constantFrom('A', 'B', 'C'),
        from: fc.option(fc.constantFrom('A', 'B', 'C')),
        body: bodies,
      }),
      { selector: ({ name }) => name },
    )
    .map(source)
    .filter((text) => {
      try {
        parseGraphSchema(text);
        return true;
      } catch {
        return false;
      }
    });
  fc.assert(
    fc.property(schemas, schemas, fc.boolean(), (before, after, hasRows) => {
      const rows = hasRows ? ['A', 'B', 'C'] : [];
      expect(plan(before, before, rows).steps).toEqual([]);
      const { steps, supported, data_loss } = plan(before, after, rows);
      for (const step of steps) expect(step.message).toMatch(/^\S.*\.$/);
      expect(supported).toBe(!steps.some(({ step }) => step === 'unsupported_change'));
      // Only what is dropped is lost, and only where there are rows.
      expect(data_loss).toBe(
        hasRows && steps.some(({ step, kind }) => step.startsWith('drop_') && kind !== 'interface'),
      );
    }),
    { numRuns: 500 },
  );
});
