import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { FileSource } from './file-source.js';
import { FolderSource } from './folder-source.js';
import { ModuleSource } from './module-source.js';
import { inMemoryRegistry } from './registry-snapshot.js';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trellis-gate-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function file(name: string, text: string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, text);
  return path;
}

const yaml = `
fallback_label: Thing
nodes:
  - label: ":Person"
    required_properties: [name]
    remaps_from: [":person", User]
    property_types: { age: integer }
  - label: Thing
relationships:
  - { type: ":KNOWS", from_labels: [":Person"], to_labels: [Person], required_properties: [since] }
`;

describe('a schema in a file', () => {
  test('is read as YAML', async () => {
    const registry = await new FileSource(await file('gate.yaml', yaml)).load();
    expect(registry.allCanonicalLabels()).toEqual(['Person', 'Thing']);
    expect(registry.getEntry(':Person')).toEqual({
      label: 'Person',
      required_properties: ['name'],
      remaps_from: ['person', 'User'],
      property_types: { age: 'integer' },
    });
    expect([registry.remapTarget(':person'), registry.remapTarget('User')]).toEqual(['Person', 'Person']);
    expect(registry.remapTarget('Person')).toBeUndefined();
    expect(registry.fallbackLabel()).toBe('Thing');
    expect(registry.allRelationTypes()).toEqual(['KNOWS']);
    expect(registry.getRelation(':KNOWS')).toMatchObject({
      from_labels: ['Person'],
      required_properties: ['since'],
    });
  });

  test('is read as JSON', async () => {
    const path = await file('gate.json', '{"nodes": [{"label": "Person"}]}');
    expect((await new FileSource(path).load()).allCanonicalLabels()).toEqual(['Person']);
  });

  test('may be empty: then it allows nothing', async () => {
    expect((await new FileSource(await file('gate.yaml', '')).load()).allCanonicalLabels()).toEqual([]);
  });

  test.each([
    ['an unknown key', 'nodes:\n  - label: A\n    requires: [x]\n', /line 3: nodes\[0\]: unknown "requires"/],
    ['an unknown key at the top', 'label: A\n', /line 1: unknown "label"/],
    [
      'an unknown type',
      'nodes:\n  - label: A\n    property_types:\n      age: int\n',
      /line 4: nodes\[0\].property_types.age/,
    ],
    [
      'a label twice',
      'nodes:\n  - label: A\n  - label: ":A"\n',
      /line 3: nodes\[1\].label: A is registered twice/,
    ],
    [
      'a label absorbed twice',
      'nodes: [{label: A, remaps_from: [x]}, {label: B, remaps_from: [":x"]}]',
      /x is already absorbed by A/,
    ],
    ['no label', 'nodes:\n  - required_properties: [a]\n', /line 2: nodes\[0\].label/],
    ['an empty label', 'nodes: [{label: ":"}]', /must not be empty/],
    ['the label Schema', 'nodes: [{label: Schema}]', /that is where schemas are kept/],
    [
      'a protected field as required',
      'nodes: [{label: A, required_properties: [source]}]',
      /set by the gate/,
    ],
    ['a reserved name', 'nodes: [{label: A, property_types: {_x: string}}]', /reserved/],
    [
      'a fallback that is not registered',
      'fallback_label: Thing\nnodes: [{label: A}]',
      /line 1: fallback_label: Thing is not registered/,
    ],
    ['text that is no YAML', 'nodes: [', /cannot be read/],
    ['a list', '- a\n', /expected object/],
    [
      'a bomb of aliases',
      `a: &a [${'x,'.repeat(9)}x]\n${[...'bcdefgh'].map((name, at) => `${name}: &${name} [${`*${'abcdefg'[at]},`.repeat(9)}*${'abcdefg'[at]}]`).join('\n')}\n`,
      /alias/,
    ],
  ])('that has %s is SCHEMA_INVALID, saying where', async (_, text, message) => {
    const path = await file('gate.yaml', text);
    await expect(new FileSource(path).load()).rejects.toMatchObject({
      code: 'SCHEMA_INVALID',
      message: expect.stringMatching(message),
    });
  });

  test('is refused if it is far too large', async () => {
    const path = await file('gate.yaml', `# ${'x'.repeat(1_048_577)}`);
    await expect(new FileSource(path).load()).rejects.toMatchObject({ code: 'SCHEMA_INVALID' });
  });

  test('lists every problem', async () => {
    const path = await file('gate.yaml', 'nodes: [{label: ""}, {label: A, typo: 1}]\nrelationships: [{}]\n');
    const error: unknown = await new FileSource(path).load().catch((thrown: unknown) => thrown);
    expect(Reflect.get(Object(Reflect.get(Object(error), 'details')), 'problems')).toHaveLength(3);
  });
});

describe('a schema from a module', () => {
  test('may be a document', async () => {
    const path = await file('a.mjs', "export const registry = { nodes: [{ label: 'Person' }] };");
    expect((await new ModuleSource(path).load()).allCanonicalLabels()).toEqual(['Person']);
  });

  test('may be a function that is asked at every refresh', async () => {
    const path = await file(
      'b.mjs',
      "let n = 0; export default async () => ({ nodes: Array.from({ length: ++n }, (_, i) => ({ label: 'L' + i })) });",
    );
    const source = new ModuleSource(path);
    await source.load();
    expect((await source.load()).allCanonicalLabels()).toEqual(['L0', 'L1']);
  });

  test('may be a registry of its own, whose remapping is kept', async () => {
    const path = await file(
      'c.mjs',
      `export const registry = {
        getEntry: (label) => ({ label, required_properties: ['id'] }),
        allCanonicalLabels: () => ['Person', 'Thing'],
        remapTarget: (label) => (/^p/i.test(label) ? 'Person' : label === 'lost' ? 'Nowhere' : null),
        fallbackLabel: () => 'Thing',
      };`,
    );
    const registry = await new ModuleSource(path).load();
    expect(registry.getEntry('Person')?.required_properties).toEqual(['id']);
    expect([registry.remapTarget('PEOPLE'), registry.remapTarget('x')]).toEqual(['Person', undefined]);
    expect(registry.fallbackLabel()).toBe('Thing');
    expect(registry.allRelationTypes()).toEqual([]);
    expect(() => registry.remapTarget('lost')).toThrow(/not registered/);
  });

  test.each([
    ['exports nothing', 'export const other = 1;'],
    ['answers nonsense', 'export const registry = () => 7;'],
    [
      'lists a label without an entry',
      "export const registry = { getEntry: () => null, allCanonicalLabels: () => ['A'], remapTarget() {}, fallbackLabel() {} };",
    ],
    ['throws', "export const registry = () => { throw new Error('no database'); };"],
    ['cannot be parsed', 'export const ='],
  ])('that %s cannot be loaded', async (_, text) => {
    const path = await file(`d-${Math.random()}.mjs`, text);
    await expect(new ModuleSource(path).load()).rejects.toThrow();
  });
});

test('schema files of the mesh surface make labels and relationships', async () => {
  await file(
    'npc.schema.json',
    JSON.stringify({
      name: 'add_npc',
      description: 'Someone.',
      properties: {
        name: { type: 'string', description: 'Name.', required: true },
        level: { type: 'integer', description: 'Level.' },
        source: { type: 'string', description: 'Book.' },
        home: {
          type: 'string',
          description: 'Home.',
          relationship: { edgeType: 'lives_in', nodeType: 'place' },
        },
        friends: { type: 'array', description: 'Friends.', relationship: { edgeType: 'knows' } },
      },
    }),
  );
  await file(
    'place.schema.json',
    JSON.stringify({ name: 'add_place', description: 'Somewhere.', properties: {} }),
  );
  const registry = await new FolderSource(folder).load();
  expect(registry.getEntry('npc')).toMatchObject({
    required_properties: ['name'],
    property_types: { name: 'string', level: 'integer', home: 'string', friends: 'list' },
  });
  expect(registry.getEntry('npc')?.property_types).not.toHaveProperty('source');
  expect(registry.getRelation('lives_in')).toMatchObject({ from_labels: ['npc'], to_labels: ['place'] });
  expect(registry.getRelation('knows')).toMatchObject({ from_labels: ['npc'], to_labels: [] });
});

test('names that every object has are nothing special', () => {
  const registry = inMemoryRegistry({ nodes: [{ label: 'constructor', remaps_from: ['__proto__'] }] });
  expect(registry.getEntry('toString')).toBeUndefined();
  expect(registry.getEntry('constructor')?.label).toBe('constructor');
  expect(registry.remapTarget('__proto__')).toBe('constructor');
  expect(registry.remapTarget('valueOf')).toBeUndefined();
});
