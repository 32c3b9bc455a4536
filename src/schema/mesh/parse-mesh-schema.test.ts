import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { TrellisError } from '../../model/error.js';
import { meshSchemaLimits } from '../../model/limits.js';
import { parseMeshSchema } from './parse-mesh-schema.js';

const npc = {
  name: 'add_npc',
  description: 'Add a non-player character',
  properties: {
    name: { type: 'string', description: 'The name of the NPC', required: true },
    role: { type: 'string', description: 'The role', required: true, enum: ['Warrior', 'Wizard'] },
    currentLocation: {
      type: 'string',
      description: 'Where the NPC is',
      required: false,
      relationship: { edgeType: 'located_in', nodeType: 'location', description: 'Where it lives' },
    },
    traits: { type: 'array', description: 'Character traits' },
  },
  additionalProperties: false,
};

function parse(schema: unknown, file = 'npc.schema.json') {
  return parseMeshSchema(typeof schema === 'string' ? schema : JSON.stringify(schema), file);
}

/** Each problem of a file, without the name of the file. */
function problemsOf(schema: unknown): string[] {
  try {
    parse(schema);
  } catch (error) {
    if (!(error instanceof TrellisError) || error.code !== 'SCHEMA_INVALID') throw error;
    const problems = error.details?.['problems'];
    if (!Array.isArray(problems)) throw new Error('The problems are not in the details.');
    for (const { path, reason } of problems) expect(error.message).toContain(`${path} ${reason}`.trim());
    return problems.map(({ path, reason }) => `${path} ${reason}`.trim());
  }
  return [];
}

/** The schema above with one property changed. */
function withProperty(property: unknown, name = 'extra'): object {
  return { ...npc, properties: { ...npc.properties, [name]: property } };
}

describe('a sound file', () => {
  test('is read in its order', () => {
    expect(parse(npc)).toEqual({
      schema: {
        type: 'npc',
        description: 'Add a non-player character',
        properties: [
          { name: 'name', type: 'string', description: 'The name of the NPC', required: true },
          {
            name: 'role',
            type: 'string',
            description: 'The role',
            required: true,
            enum: ['Warrior', 'Wizard'],
          },
          {
            name: 'currentLocation',
            type: 'string',
            description: 'Where the NPC is',
            required: false,
            relationship: { edgeType: 'located_in', nodeType: 'location', description: 'Where it lives' },
          },
          { name: 'traits', type: 'array', description: 'Character traits', required: false },
        ],
        additionalProperties: false,
      },
      warnings: [],
    });
  });

  test('takes arguments beyond its own unless it says otherwise', () => {
    const { additionalProperties: _, ...open } = npc;
    expect(parse(open).schema.additionalProperties).toBe(true);
  });

  test('without a name property gets one, first and required', () => {
    const { name: _, ...properties } = npc.properties;
    const [first, ...rest] = parse({ ...npc, properties }).schema.properties;
    expect(first).toEqual({
      name: 'name',
      type: 'string',
      description: 'The name of the npc',
      required: true,
    });
    expect(rest.map(({ name }) => name)).toEqual(['role', 'currentLocation', 'traits']);
  });

  test('has its name required even if it says otherwise', () => {
    const schema = withProperty({ type: 'string', description: 'x', required: false }, 'name');
    expect(parse(schema).schema.properties[0]).toMatchObject({ name: 'name', required: true });
  });

  test('may begin with a byte order mark, and name the schema it follows', () => {
    expect(parse(`\ufeff${JSON.stringify({ $schema: 'https://example.com/x', ...npc })}`).warnings).toEqual(
      [],
    );
  });

  test.each(['constructor', 'toString', 'hasOwnProperty', 'valueOf'])('may call a property %s', (name) => {
    const { schema } = parse(withProperty({ type: 'string', description: 'x' }, name));
    expect(schema.properties.at(-1)).toEqual({ name, type: 'string', description: 'x', required: false });
  });

  test.each(['number', 'integer', 'boolean'])('may have properties of type %s', (type) => {
    expect(problemsOf(withProperty({ type, description: 'x' }))).toEqual([]);
  });

  test('may have a type of the longest name', () => {
    expect(
      parse({ ...npc, name: `add_${'x'.repeat(meshSchemaLimits.typeLength)}` }).schema.type,
    ).toHaveLength(meshSchemaLimits.typeLength);
    expect(`update_${'x'.repeat(meshSchemaLimits.typeLength)}`.length).toBeLessThanOrEqual(64);
  });
});

describe('what is ignored with a warning', () => {
  test('unknown keys, at any level', () => {
    const schema = {
      ...withProperty({
        type: 'array',
        description: 'x',
        items: {},
        relationship: { edgeType: 'knows', wieght: 1 },
      }),
      requires: [],
    };
    expect(parse(schema).warnings).toEqual([
      expect.stringMatching(/^npc\.schema\.json: requires is unknown and ignored; known keys: /),
      expect.stringMatching(/^npc\.schema\.json: properties\.extra\.items is unknown/),
      expect.stringMatching(/^npc\.schema\.json: properties\.extra\.relationship\.wieght is unknown/),
    ]);
  });

  test('a key with invisible characters is made visible', () => {
    expect(parse({ ...npc, 'x\u202ey': 1 }).warnings[0]).toContain('["x\\u{202E}y"] is unknown');
  });

  test('a blank description, and letters that some clients refuse', () => {
    const schema = { ...npc, description: ' ', properties: { größe: { type: 'number', description: 'x' } } };
    expect(parse(schema).warnings).toEqual([
      expect.stringContaining('properties.größe has letters beyond a-z'),
      expect.stringContaining('description is blank'),
    ]);
  });
});

describe('what is refused', () => {
  test.each([
    ['not JSON', '{"name": "add_npc",}', /^is not JSON: expected .* \(line 1, column 20\)$/],
    ['not JSON, further down', '{\n  "name": "add_npc"\n  "x": 1\n}', /\(line 3, column 3\)$/],
    ['cut off', '{"name": ', /^is not JSON: unexpected end of JSON input \(line 1, column 10\)$/],
    ['a word', 'nope', /^is not JSON: unexpected/],
    [
      'an escape sequence',
      '{"a": \u001b[2J}',
      /^is not JSON: unexpected .*u\{1B\}|^is not JSON: unexpected "\\u001b"/,
    ],
    ['empty', ' \n', 'is empty; it must contain a JSON object'],
    [
      'a list',
      '[1, 2]',
      'is a list of 2; it must be a JSON object with "name", "description" and "properties"',
    ],
    ['null', 'null', /^is null; it must be a JSON object/],
  ])('a file that is %s', (_, text, problem) => {
    expect(problemsOf(text)).toEqual([
      typeof problem === 'string' ? problem : expect.stringMatching(problem),
    ]);
  });

  test('a file that is too large, with the bound', () => {
    expect(problemsOf({ ...npc, description: 'x'.repeat(meshSchemaLimits.fileBytes) })).toEqual([
      expect.stringMatching(/^has \d+ bytes; at most 1048576 are allowed$/),
    ]);
  });

  test.each([
    ['a missing name', undefined, 'name is missing; it must be a string'],
    ['a name that is not a string', 7, 'name is 7; it must be a string'],
    [
      'a name without the prefix',
      'npc',
      'name is "npc"; it must be "add_" followed by the node type, as in "add_npc"',
    ],
    ['the prefix alone', 'add_', /^name is "add_"; it must be "add_" followed by letters/],
    [
      'a name with other characters',
      'add_n p/c',
      /^name is "add_n p\/c"; it must be "add_" followed by letters/,
    ],
    [
      'a right-to-left override in a name',
      'add_\u202enpc',
      /^name contains a character that changes the direction of text \(U\+202E\)/,
    ],
    ['a name that is too long', `add_${'x'.repeat(58)}`, 'name has 62 characters; at most 61 are allowed'],
    ['the name of tools that are there', 'add_nodes', /^name is "add_nodes"; it must be another name/],
    ['likewise edges', 'add_edges', /^name is "add_edges"; it must be another name/],
    ['likewise metadata', 'add_metadata', /^name is "add_metadata"; it must be another name/],
    ['a name that JavaScript needs', 'add___proto__', /^name is "add___proto__"; it must be another name/],
  ])('%s', (_, name, problem) => {
    expect(problemsOf({ ...npc, name })).toEqual([
      typeof problem === 'string' ? problem : expect.stringMatching(problem),
    ]);
  });

  test.each([
    ['a missing description', { description: undefined }, 'description is missing; it must be a string'],
    [
      'a description that is too long',
      { description: 'x'.repeat(1_000_000) },
      'description has 1000000 characters; at most 2000 are allowed',
    ],
    [
      'a description with a line break',
      { description: 'a\nb' },
      /^description contains a line break \(U\+000A\)/,
    ],
    [
      'missing properties',
      { properties: undefined },
      'properties is missing; it must be an object with an entry for each property',
    ],
    ['properties in a list', { properties: [{}] }, /^properties is a list of 1; it must be an object/],
    [
      'additional properties that are not a boolean',
      { additionalProperties: 'yes' },
      'additionalProperties is "yes"; it must be true or false',
    ],
  ])('%s', (_, change, problem) => {
    expect(problemsOf({ ...npc, ...change })).toEqual([
      typeof problem === 'string' ? problem : expect.stringMatching(problem),
    ]);
  });

  test('more properties than fit', () => {
    const many = Array.from({ length: 101 }, (_, index) => [
      `p${index}`,
      { type: 'string', description: 'x' },
    ]);
    expect(problemsOf({ ...npc, properties: Object.fromEntries(many) })).toEqual([
      'properties has 101 entries; at most 100 are allowed',
    ]);
  });

  const text = { type: 'string', description: 'x' };
  test.each([
    [
      'that is not an object',
      'text',
      'properties.extra is "text"; it must be an object with "type" and "description"',
    ],
    [
      'without a type',
      { description: 'x' },
      'properties.extra.type is missing; it must be one of: string, number, integer, boolean, array',
    ],
    [
      'of an unknown type',
      { ...text, type: 'date' },
      /^properties\.extra\.type is "date"; it must be one of/,
    ],
    [
      'whose type is inherited by all objects',
      { ...text, type: 'constructor' },
      /^properties\.extra\.type is "constructor"/,
    ],
    [
      'without a description',
      { type: 'string' },
      'properties.extra.description is missing; it must be a string',
    ],
    [
      'with a hidden character in the description',
      { type: 'string', description: 'a\u200bb' },
      /^properties\.extra\.description contains an invisible character \(U\+200B\)/,
    ],
    [
      'required as a text',
      { ...text, required: 'true' },
      'properties.extra.required is "true"; it must be true or false',
    ],
    [
      'with an enum that is not a list',
      { ...text, enum: 'Warrior' },
      'properties.extra.enum is "Warrior"; it must be a list of at least one string',
    ],
    ['with an empty enum', { ...text, enum: [] }, /^properties\.extra\.enum is an empty list/],
    [
      'with a number in the enum',
      { ...text, enum: ['a', 1] },
      'properties.extra.enum[1] is 1; it must be a string',
    ],
    ['with a blank in the enum', { ...text, enum: [''] }, /^properties\.extra\.enum\[0\] is ""; it must be/],
    [
      'with a value twice in the enum',
      { ...text, enum: ['a', 'a'] },
      'properties.extra.enum[1] is "a", which is listed twice',
    ],
    [
      'with an enum that is too long',
      { ...text, enum: Array.from({ length: 201 }, String) },
      'properties.extra.enum has 201 values; at most 200 are allowed',
    ],
    [
      'with an enum value that is too long',
      { ...text, enum: ['x'.repeat(201)] },
      'properties.extra.enum[0] has 201 characters; at most 200 are allowed',
    ],
    [
      'with an enum of numbers',
      { type: 'number', description: 'x', enum: ['1'] },
      'properties.extra.enum is not allowed with type number; only string and array properties can have it',
    ],
    [
      'with a relationship that is a text',
      { ...text, relationship: 'knows' },
      'properties.extra.relationship is "knows"; it must be an object with "edgeType"',
    ],
    [
      'with a relationship without an edge type',
      { ...text, relationship: {} },
      'properties.extra.relationship.edgeType is missing; it must be a string',
    ],
    [
      'with a blank edge type',
      { ...text, relationship: { edgeType: ' ' } },
      'properties.extra.relationship.edgeType is " "; it must be a string that is not blank',
    ],
    [
      'with a node type that is not a string',
      { ...text, relationship: { edgeType: 'knows', nodeType: 1 } },
      'properties.extra.relationship.nodeType is 1; it must be a string',
    ],
    [
      'with a relationship of a number',
      { type: 'integer', description: 'x', relationship: { edgeType: 'knows' } },
      'properties.extra.relationship is not allowed with type integer; only string and array properties can have it',
    ],
  ])('a property %s', (_, property, problem) => {
    expect(problemsOf(withProperty(property))).toEqual([
      typeof problem === 'string' ? problem : expect.stringMatching(problem),
    ]);
  });

  test.each([
    ['spaces', 'a b', 'properties["a b"] has an invalid name'],
    ['a colon', 'a:b', 'properties["a:b"] has an invalid name'],
    ['nothing in it', '', 'properties[""] has an invalid name'],
    ['no letter', '__', 'properties.__ has an invalid name'],
    ['a right-to-left override', 'a\u202eb', 'properties["a\\u{202E}b"] has an invalid name'],
    ['an invisible letter', 'a\u3164b', 'properties["a\\u{3164}b"] contains an invisible character (U+3164)'],
    ['too many letters', 'x'.repeat(61), /has a name of 61 characters; at most 60 are allowed$/],
  ])('a property whose name has %s', (_, name, problem) => {
    expect(problemsOf(withProperty(text, name))).toEqual([
      typeof problem === 'string' ? expect.stringContaining(problem) : expect.stringMatching(problem),
    ]);
  });

  test('a property called __proto__, which must not change what objects are', () => {
    const json = `{"name": "add_npc", "description": "x", "properties": {"__proto__": {"type": "string", "description": "x"}}}`;
    expect(problemsOf(json)).toEqual(['properties.__proto__ is a reserved name; use another']);
    expect(Object.hasOwn(Object.prototype, 'type')).toBe(false);
  });

  test('keys that only a prototype has', () => {
    const json = `{"__proto__": {"name": "add_npc", "description": "x", "properties": {}}}`;
    expect(problemsOf(json)).toHaveLength(3);
  });

  test('a name that is not a string, or has a relationship', () => {
    expect(problemsOf(withProperty({ type: 'array', description: 'x' }, 'name'))).toEqual([
      'properties.name.type is "array"; it must be string',
    ]);
    expect(problemsOf(withProperty({ ...text, relationship: { edgeType: 'is' } }, 'name'))).toEqual([
      'properties.name.relationship is not allowed on the name',
    ]);
  });

  test('two properties that would be stored under one key', () => {
    expect(problemsOf(withProperty(text, 'current_location'))).toEqual([
      'properties.current_location would be stored as "Current Location", like the property currentLocation; rename one of them',
    ]);
    expect(problemsOf({ ...npc, properties: { Name: text } })).toEqual([
      'properties.Name would be stored as "Name", like the property name; rename one of them',
    ]);
  });
});

test('one error lists every problem of a file', () => {
  const broken = {
    name: 'npc',
    properties: { role: { type: 'text', enum: 'Warrior' }, friend: { type: 'string', description: 1 } },
    additionalProperties: 1,
  };
  expect(() => parse(broken)).toThrow(
    [
      'Schema files have 7 problems:',
      '  npc.schema.json: name is "npc"; it must be "add_" followed by the node type, as in "add_npc"',
      '  npc.schema.json: description is missing; it must be a string',
      '  npc.schema.json: properties.role.type is "text"; it must be one of: string, number, integer, boolean, array',
      '  npc.schema.json: properties.role.description is missing; it must be a string',
      '  npc.schema.json: properties.role.enum is "Warrior"; it must be a list of at least one string',
      '  npc.schema.json: properties.friend.description is 1; it must be a string',
      '  npc.schema.json: additionalProperties is 1; it must be true or false',
    ].join('\n'),
  );
});

test('any JSON is read or refused with SCHEMA_INVALID, and nothing else happens', () => {
  const property = fc.oneof(
    fc.jsonValue(),
    fc.record(
      {
        type: fc.oneof(fc.constantFrom('string', 'array', 'number'), fc.jsonValue()),
        description: fc.oneof(fc.string(), fc.jsonValue()),
        required: fc.jsonValue(),
        enum: fc.oneof(fc.array(fc.string()), fc.jsonValue()),
        relationship: fc.oneof(fc.record({ edgeType: fc.string() }), fc.jsonValue()),
      },
      { requiredKeys: [] },
    ),
  );
  const schema = fc.record(
    {
      name: fc.oneof(fc.constant('add_npc'), fc.jsonValue()),
      description: fc.oneof(fc.string(), fc.jsonValue()),
      properties: fc.oneof(fc.dictionary(fc.string(), property), fc.jsonValue()),
      additionalProperties: fc.jsonValue(),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(schema, (given) => {
      const problems = problemsOf(given);
      if (problems.length === 0)
        expect(parse(given).schema.properties.map(({ name }) => name)).toContain('name');
    }),
    { numRuns: 500 },
  );
});
