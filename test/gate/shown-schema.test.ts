import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Graph } from '../../src/engine/graph.js';
import type { GateSettings } from '../../src/gate/gate-settings.js';
import { defaultGraph } from '../../src/model/graph-record.js';
import { callTool, readResource } from '../../src/surfaces/dispatch.js';
import { openSurface, visibleTools } from '../../src/surfaces/surface-registry.js';
import { databaseKinds, type Scratch, scratchStore } from '../helpers/stores.js';
import { requestContextOn } from '../helpers/surfaces.js';
import { person, register, registerPeople } from './gate-client.js';

const uri = 'trellis://gate/schema';

describe.each(databaseKinds)('what agents see of the rules, on $kind', (kind) => {
  let scratch: Scratch;

  beforeEach(async () => {
    scratch = await scratchStore(kind);
  });
  afterEach(() => scratch.dispose());

  async function open(gate: GateSettings = {}) {
    const { store } = scratch;
    const graph = new Graph(store, defaultGraph);
    const surface = await openSurface('gate', { store, graph, settings: { gate }, warn: () => {} });
    const context = requestContextOn(surface, graph);
    return {
      context,
      surface,
      /** Everything that `tools/list` says of a tool. */
      seen(name: string) {
        const tool = visibleTools(context).find((one) => one.name === name);
        return JSON.stringify({ ...tool, input: tool?.input.schema(), output: tool?.output?.() });
      },
      rules: async () => JSON.parse((await readResource(context, uri)).text),
    };
  }

  test('trust 5: labels, types, properties and methods stand in the descriptions', async () => {
    await registerPeople(scratch.store);
    const gate = await open({ fallback_label: 'Thing' });
    expect(gate.seen('write_node')).toContain(
      'Person {name, age?: integer, email?: string}, Thing. Other labels become Thing.',
    );
    expect(gate.seen('write_relationship')).toContain('KNOWS (Person → Person).');
    for (const tool of ['write_node', 'write_relationship'])
      expect(gate.seen(tool)).toContain('How it was found: api, parsed, manual, llm"');
  });

  test('trust 5: the resource has all of it, and refresh_schema_cache the names', async () => {
    await registerPeople(scratch.store);
    const gate = await open({ unknown_label_policy: 'reject', fallback_label: 'Thing' });
    expect(await gate.rules()).toEqual({
      nodes: [
        {
          label: 'Person',
          required_properties: ['name'],
          remaps_from: ['person', 'User'],
          property_types: { age: 'integer', email: 'string' },
        },
        { label: 'Thing', required_properties: [], remaps_from: [], property_types: {} },
      ],
      relationships: [
        {
          type: 'KNOWS',
          from_labels: ['Person'],
          to_labels: ['Person'],
          required_properties: [],
          property_types: {},
        },
      ],
      extraction_methods: ['api', 'parsed', 'manual', 'llm'],
      conflicts: 'warn',
    });
    const { structuredContent } = await callTool(gate.context, 'refresh_schema_cache', {});
    expect(structuredContent).toEqual({
      loaded: 2,
      relationship_types: 1,
      labels: ['Person', 'Thing'],
      relationship_type_names: ['KNOWS'],
    });
  });

  test('trust 5: a schema too long for a description is read by address', async () => {
    for (let count = 0; count < 60; count++)
      await register(scratch.store, `LabelWithQuiteALongName${count}`, {
        required_properties: ['identifier'],
      });
    const gate = await open();
    expect(gate.seen('write_node')).toContain(`There are 60 labels: read ${uri}.`);
    expect(gate.seen('write_node')).not.toContain('LabelWithQuiteALongName');
    expect((await gate.rules()).nodes).toHaveLength(60);
  });

  test.each([
    ['admiralty', 'A1', 'F6'],
    ['stix', 'dni:likely', 'wep:certain'],
  ])('trust 5: under the formula %s, nothing speaks of other methods', async (formula, ...methods) => {
    await registerPeople(scratch.store);
    const gate = await open({ formula });
    const said = [
      gate.surface.instructions,
      ...visibleTools(gate.context).map(({ name }) => gate.seen(name)),
      JSON.stringify(await gate.rules()),
      JSON.stringify(await callTool(gate.context, 'write_node', person('Ada'))),
    ];
    for (const text of said) expect(text).not.toMatch(/\b(api|parsed|llm)\b/);
    for (const method of methods) expect(gate.seen('write_node')).toContain(method);
  });

  test('trust 5: a refresh changes what is seen, and clients are told if it does', async () => {
    const gate = await open();
    expect(gate.seen('write_node')).toContain('No label is registered yet');
    let changes = 0;
    const stop = gate.surface.onToolsChanged?.(() => {
      changes += 1;
    });
    await registerPeople(scratch.store);
    expect(gate.seen('write_node')).toContain('No label is registered yet');
    await callTool(gate.context, 'refresh_schema_cache', {});
    expect(gate.seen('write_node')).toContain('Person {name');
    await callTool(gate.context, 'refresh_schema_cache', {});
    expect(changes).toBe(1);
    stop?.();
  });

  test('trust 5: without a schema the descriptions say so, and the resource why', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'trellis-test-'));
    const file = join(folder, 'schema.yaml');
    const gate = await open({ schemaFile: file });
    expect(gate.seen('write_node')).toContain('No schema has been loaded yet');
    await expect(readResource(gate.context, uri)).rejects.toMatchObject({
      code: 'SCHEMA_SOURCE_UNAVAILABLE',
    });
    await writeFile(file, 'nodes: [{ label: Person }]');
    await callTool(gate.context, 'refresh_schema_cache', {});
    expect(gate.seen('write_node')).toContain('Person.');
    await rm(folder, { recursive: true });
  });
});
