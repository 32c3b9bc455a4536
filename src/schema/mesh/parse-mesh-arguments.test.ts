import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { npc, schemaOf } from '../../../test/helpers/node-schemas.js';
import { TrellisError } from '../../model/error.js';
import { limits } from '../../model/limits.js';
import { exampleCall } from './arguments/example-call.js';
import type { MeshSchema } from './mesh-schema.js';
import {
  type MeshArguments,
  parseAddArguments,
  parseDeleteArguments,
  parseUpdateArguments,
} from './parse-mesh-arguments.js';

const party = schemaOf({
  name: 'add_party',
  description: 'Add a party',
  properties: {
    members: {
      type: 'array',
      description: 'Who belongs to it',
      required: true,
      relationship: { edgeType: 'has_member', nodeType: 'npc' },
    },
    moods: { type: 'array', description: 'How they feel', enum: ['Merry', 'Tired'] },
    size: { type: 'integer', description: 'How many they are' },
    speed: { type: 'number', description: 'How fast they are' },
    hidden: { type: 'boolean', description: 'Whether they hide' },
    constructor: { type: 'string', description: 'Who made it' },
  },
  additionalProperties: false,
});

type Parse = (schema: MeshSchema, given: unknown) => MeshArguments;

/** What is wrong with the arguments, without the example; undefined if nothing is. */
function faultsOf(parse: Parse, schema: MeshSchema, given: unknown): string | undefined {
  try {
    parse(schema, given);
    return undefined;
  } catch (error) {
    if (!(error instanceof TrellisError)) throw error;
    expect(error.code).toBe('INVALID_ARGUMENT');
    const [, errors] = /^Invalid arguments for \w+: (.*)\. Example: \{.*\}\}$/s.exec(error.message) ?? [];
    return errors ?? error.message;
  }
}

const gandalf = { name: 'Gandalf', role: 'Wizard', status: 'Active' };
const fellowship = { name: 'The Fellowship', members: ['Gandalf'] };

describe('the arguments of a call', () => {
  test.each([
    ['add', parseAddArguments, { npc: gandalf }],
    ['add, as older clients say it', parseAddArguments, { add_npc: gandalf }],
    ['update', parseUpdateArguments, { npc: gandalf }],
    ['update, as older clients say it', parseUpdateArguments, { update_npc: gandalf }],
  ] as const)('%s', (_, parse, given) => {
    expect(parse(npc, given)).toEqual({
      name: 'Gandalf',
      values: new Map([
        ['role', 'Wizard'],
        ['status', 'Active'],
      ]),
    });
  });

  test.each([
    ['delete', { npc: { name: 'Gandalf' } }],
    ['delete, as older clients say it', { delete_npc: { name: 'Gandalf' } }],
  ])('%s', (_, given) => {
    expect(parseDeleteArguments(npc, given)).toEqual({ name: 'Gandalf', values: new Map() });
  });

  test('come in the order of the schema, then others in their own', () => {
    const { values } = parseAddArguments(npc, {
      npc: {
        weapon: 'staff',
        traits: ['wise'],
        status: 'Active',
        age: 2019,
        role: 'Wizard',
        name: 'Gandalf',
      },
    });
    expect([...values.keys()]).toEqual(['role', 'status', 'traits', 'weapon', 'age']);
  });

  test('of every type', () => {
    const given = {
      ...fellowship,
      moods: ['Tired'],
      size: 9,
      speed: 1.5,
      hidden: false,
      constructor: 'Elrond',
    };
    expect(Object.fromEntries(parseAddArguments(party, { party: given }).values)).toEqual({
      members: ['Gandalf'],
      moods: ['Tired'],
      size: 9,
      speed: 1.5,
      hidden: false,
      constructor: 'Elrond',
    });
  });

  test('an update may name nothing but the node', () => {
    expect(parseUpdateArguments(npc, { npc: { name: 'Gandalf' } }).values.size).toBe(0);
  });

  test('what a schema does not declare is taken as text, number, yes or no, or a list of those', () => {
    const extra = { weapon: 'staff', age: 2019, tall: true, friends: ['Frodo', 2, false], none: [] };
    expect([...parseAddArguments(npc, { npc: { ...gandalf, ...extra } }).values].slice(2)).toEqual([
      ['weapon', 'staff'],
      ['age', 2019],
      ['tall', true],
      ['friends', ['Frodo', '2', 'false']],
    ]);
  });

  test('nothing that every object inherits counts as given', () => {
    expect(parseAddArguments(party, { party: fellowship }).values.has('constructor')).toBe(false);
  });

  test('an empty list says nothing when a node is added', () => {
    expect([...parseAddArguments(npc, { npc: { ...gandalf, traits: [] } }).values.keys()]).toEqual([
      'role',
      'status',
    ]);
  });

  test('trust 8: null is as if left out when a node is added', () => {
    const given = { ...gandalf, description: null, traits: null, currentLocation: null, weapon: null };
    expect([...parseAddArguments(npc, { npc: given, add_npc: null }).values.keys()]).toEqual([
      'role',
      'status',
    ]);
    expect(parseDeleteArguments(npc, { npc: { name: 'Gandalf', role: null } }).name).toBe('Gandalf');
  });

  test.each([
    ['add', parseAddArguments, npc, { npc: { ...gandalf, currentLocation: '' } }, ['role', 'status']],
    ['update', parseUpdateArguments, npc, { npc: { name: 'Gandalf', currentLocation: '' } }, []],
  ] as const)(
    'trust 8: an empty text that cannot be meant is left out of an %s',
    (_, parse, schema, given, keys) => {
      expect([...parse(schema, given).values.keys()]).toEqual(keys);
    },
  );

  test('null or an empty list removes what an update can do without', () => {
    const given = { name: 'Gandalf', description: null, traits: [], weapon: null, friends: [] };
    expect([...parseUpdateArguments(npc, { npc: given }).values]).toEqual([
      ['description', null],
      ['traits', null],
      ['weapon', null],
      ['friends', null],
    ]);
  });
});

describe('a call without the object of the node', () => {
  test.each([
    ['nothing', undefined],
    ['null', null],
    ['no wrapper', gandalf],
    ['a list', [gandalf]],
    ['a list in the wrapper', { npc: [gandalf] }],
    ['a text in the wrapper', { npc: 'Gandalf' }],
    ['the wrapper of another tool', { update_npc: gandalf }],
    ['what an object inherits', Object.create({ npc: gandalf })],
  ])('%s', (_, given) => {
    expect(faultsOf(parseAddArguments, npc, given)).toBe(
      'Missing required argument: "npc" object not provided',
    );
  });

  test('is shown how to call', () => {
    expect(() => parseAddArguments(npc, {})).toThrow(
      expect.objectContaining({
        hint: 'Nothing was done. Call add_npc like this: {"npc": {"name": "a name", "role": "Warrior", "status": "Active"}}',
      }),
    );
  });
});

describe('what is refused', () => {
  test('everything at once, with an example', () => {
    expect(() =>
      parseAddArguments(npc, {
        npc: { role: 'Dragon', description: 5, traits: ['brave', 1], weapon: { kind: 'staff' } },
      }),
    ).toThrow(
      'Invalid arguments for add_npc: name is missing: it must be the name of the npc; ' +
        'role is "Dragon", but must be one of: "Warrior", "Wizard", "Merchant"; ' +
        'status is missing: it must be one of: "Active", "Inactive"; ' +
        'description is 5, but must be a string, or omitted; ' +
        'traits[1] is 1, but must be a string; ' +
        'weapon is an object, but must be a string, a number, true, false or a list of these, or omitted. ' +
        'Example: {"npc": {"name": "a name", "role": "Warrior", "status": "Active"}}',
    );
  });

  test.each([
    ['an empty name', { ...gandalf, name: '' }, 'name must not be empty'],
    ['a name that is not a string', { ...gandalf, name: 7 }, 'name is 7, but must be a string'],
    ['a name with a NUL', { ...gandalf, name: 'a\0b' }, 'name contains a NUL character (U+0000)'],
    [
      'a name that is too long',
      { ...gandalf, name: 'x'.repeat(limits.nameLength + 1) },
      'name has 4097 characters; at most 4096 are allowed in a name',
    ],
    ['null for what is required', { ...gandalf, role: null }, /^role is null, but must be/],
    ['a list for a text', { ...gandalf, description: [] }, /^description is an empty list, but must be/],
    [
      'an empty text for a required one',
      { name: 'x', role: 'Wizard', status: '' },
      /^status is "", but must/,
    ],
    ['a number for a string', { ...gandalf, description: 1 }, /^description is 1, but must be a string/],
    ['true for a string', { ...gandalf, description: true }, /^description is true, but must be a string/],
    [
      'half a surrogate pair',
      { ...gandalf, description: 'a\ud800' },
      /^description contains half of a surrogate pair/,
    ],
    [
      'a string for a list',
      { ...gandalf, traits: 'brave' },
      /^traits is "brave", but must be a list of strings/,
    ],
    [
      'too many items',
      { ...gandalf, traits: Array.from({ length: 10_001 }, String) },
      'traits has 10001 items; at most 10000 are allowed',
    ],
    ['an object in a list', { ...gandalf, friends: ['a', {}] }, /^friends\[1\] is an object, but must be/],
    ['an endless number', { ...gandalf, age: Number.POSITIVE_INFINITY }, /^age is Infinity, but must be/],
    [
      'another spelling of a property',
      { ...gandalf, current_location: 'Bree' },
      'current_location means the same as currentLocation; use currentLocation',
    ],
    [
      'a further field in two spellings',
      { ...gandalf, eyeColour: 'grey', eye_colour: 'blue' },
      'eye_colour means the same as eyeColour; use eyeColour',
    ],
    [
      'a field whose name would break the key',
      { ...gandalf, 'a: b': 1 },
      '"a: b" is not a valid field name; use letters, digits and "_"',
    ],
    [
      'a field with an empty name',
      { ...gandalf, '': 1 },
      '"" is not a valid field name; use letters, digits and "_"',
    ],
    [
      'a field with a hidden name',
      { ...gandalf, 'a\u202eb': 1 },
      /^"a\\u\{202E\}b" contains a character that/,
    ],
    [
      'a field with a reserved name',
      JSON.parse('{"name": "x", "role": "Wizard", "status": "Active", "__proto__": 1}'),
      '__proto__ is not a valid field name; use letters, digits and "_"',
    ],
    [
      'a long name of a field',
      { ...gandalf, ['x'.repeat(61)]: 1 },
      /^"x{60}…" has a name of 61 characters; at most 60 are allowed$/,
    ],
  ])('%s', (_, given, fault) => {
    const errors = faultsOf(parseAddArguments, npc, { npc: given });
    if (typeof fault === 'string') expect(errors).toBe(fault);
    else expect(errors).toMatch(fault);
  });

  test.each([
    [
      'a field that a closed schema does not know',
      { ...fellowship, colour: 'green' },
      'colour is unknown; party takes only name, members, moods, size, speed, hidden, constructor',
    ],
    [
      'a list that must not be empty',
      { ...fellowship, members: [] },
      'members is an empty list, but must be a list of names, each of an existing npc, with at least one item',
    ],
    ['an empty target in a list', { ...fellowship, members: ['a', ''] }, 'members[1] must not be empty'],
    [
      'an unknown choice in a list',
      { ...fellowship, moods: ['Merry', 'Sad'] },
      'moods[1] is "Sad", but must be one of: "Merry", "Tired"',
    ],
    ['a fraction', { ...fellowship, size: 1.5 }, 'size is 1.5, but must be a whole number, or omitted'],
    ['a number as a string', { ...fellowship, speed: '2' }, 'speed is "2", but must be a number, or omitted'],
    [
      'true as a string',
      { ...fellowship, hidden: 'true' },
      'hidden is "true", but must be true or false, or omitted',
    ],
    [
      'a string for a number',
      { ...fellowship, speed: Number.NaN },
      'speed is NaN, but must be a number, or omitted',
    ],
  ])('%s', (_, given, fault) => {
    expect(faultsOf(parseAddArguments, party, { party: given })).toBe(fault);
  });

  test('trust 10: a mistyped field of a closed schema, with the one that was meant', () => {
    expect(faultsOf(parseAddArguments, party, { party: { ...fellowship, mood: ['Merry'] } })).toMatch(
      /^mood is unknown; party takes only .* \(did you mean moods\?\)$/,
    );
  });

  test('trust 10: more than the name in a delete, which would be ignored', () => {
    expect(faultsOf(parseDeleteArguments, npc, { npc: { ...gandalf } })).toBe(
      'role is unknown; delete_npc takes only the name; status is unknown; delete_npc takes only the name',
    );
  });

  test('removing what is required', () => {
    expect(faultsOf(parseUpdateArguments, npc, { npc: { name: 'Gandalf', role: null, status: [] } })).toBe(
      'role is required, so it cannot be removed; give one of: "Warrior", "Wizard", "Merchant"; ' +
        'status is required, so it cannot be removed; give one of: "Active", "Inactive"',
    );
  });

  test('the same values in an update', () => {
    expect(faultsOf(parseUpdateArguments, npc, { npc: { role: 'Dragon' } })).toBe(
      'name is missing: it must be the name of the npc; role is "Dragon", but must be one of: "Warrior", "Wizard", "Merchant"',
    );
  });

  test('a delete without a name', () => {
    expect(faultsOf(parseDeleteArguments, npc, { npc: {} })).toBe(
      'name is missing: it must be the name of the npc',
    );
  });

  test('trust 10: fields beside the object, which would be lost', () => {
    expect(faultsOf(parseAddArguments, npc, { npc: gandalf, traits: ['wise'], requestId: 1 })).toBe(
      'traits must be inside "npc", not beside it; requestId is unknown; add_npc takes only "npc"',
    );
  });

  test('of very many errors the first are listed', () => {
    const given = { ...gandalf, traits: Array.from({ length: 50 }, (_, index) => index) };
    expect(() => parseAddArguments(npc, { npc: given })).toThrow(
      /traits\[19\] is 19, .*\. And 30 more\. Example: /,
    );
  });
});

const scalar = fc.oneof(fc.string({ unit: 'binary' }), fc.double(), fc.boolean());

test('any arguments are taken or refused with INVALID_ARGUMENT, and nothing else happens', () => {
  const fields = fc.dictionary(
    fc.oneof(fc.constantFrom('name', 'role', 'traits', '__proto__', 'constructor'), fc.string()),
    fc.oneof(scalar, fc.array(scalar), fc.jsonValue()),
  );
  const given = fc.oneof(fc.jsonValue(), fc.record({ npc: fields }), fc.record({ party: fields }));
  fc.assert(
    fc.property(given, fc.constantFrom(npc, party), (value, schema) => {
      for (const parse of [parseAddArguments, parseUpdateArguments, parseDeleteArguments])
        faultsOf(parse, schema, value);
    }),
    { numRuns: 500 },
  );
});

test.each([
  ['npc', npc],
  ['party', party],
])('the examples shown for %s are correct calls', (_, schema) => {
  expect(() => parseAddArguments(schema, JSON.parse(exampleCall(schema, 'add')))).not.toThrow();
  expect(() => parseUpdateArguments(schema, JSON.parse(exampleCall(schema, 'update')))).not.toThrow();
  expect(() => parseDeleteArguments(schema, JSON.parse(exampleCall(schema, 'delete')))).not.toThrow();
});
