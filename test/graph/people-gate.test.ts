import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { databaseKinds } from '../helpers/stores.js';
import { PeopleServer } from './people-server.js';

interface Drift {
  readonly labels: readonly { readonly name: string; readonly count: number; readonly rule?: object }[];
  readonly relationship_types: readonly { readonly name: string; readonly rule?: object }[];
  readonly properties: readonly unknown[];
}

interface Added {
  readonly outcome: string;
  readonly commit_id: string | null;
}

describe.each(databaseKinds)('the gate for people on $kind', (kind) => {
  let server: PeopleServer;

  const write = (label: string) =>
    server.mcp('gate/', 'gatekeeper').ok('write_node', {
      ...{ label, merge_keys: { name: `a ${label}` }, properties: { color: 'red' } },
      ...{ source: 'here', extraction_method: 'llm' },
    });

  beforeAll(async () => {
    server = await PeopleServer.start(kind);
    await server.ok('POST', 'gate/registry', {
      ...{ kind: 'node', name: 'Person', required: ['name'] },
    });
    await write('Person');
    await write('Persons');
    await write('Planet');
    await write('Planet');
    await server.mcp('gate/', 'gatekeeper').ok('write_relationship', {
      ...{ type: 'ORBITS', from_label: 'Person', from_keys: { name: 'a' }, to_label: 'Person' },
      ...{ to_keys: { name: 'b' }, source: 'here', extraction_method: 'llm' },
    });
  });
  afterAll(() => server.close());

  test('the registry says what is let in and where it is kept', async () => {
    expect(await server.ok('GET', 'gate/registry')).toMatchObject({
      location: 'graph',
      nodes: [{ label: 'Person', required_properties: ['name'], remaps_from: [], property_types: {} }],
      relationships: [],
      unknown_labels: 'remap',
      conflicts: 'warn',
      extraction_methods: expect.arrayContaining(['llm']),
    });
  });

  test('rejections come newest first, in pages', async () => {
    const first = await server.ok<{ rejections: { actor_id: string }[]; nextCursor: string }>(
      'GET',
      'gate/rejections?limit=3',
    );
    expect(first.rejections).toMatchObject([
      { actor_id: 'gatekeeper', tool: 'write_relationship', code: 'SCHEMA_UNKNOWN_LABEL' },
      { tool: 'write_node', arguments: { label: 'Planet' } },
      { tool: 'write_node', arguments: { label: 'Planet' } },
    ]);
    const rest = await server.ok(
      'GET',
      `gate/rejections?limit=3&cursor=${encodeURIComponent(first.nextCursor)}`,
    );
    expect(rest).toMatchObject({ rejections: [{ arguments: { label: 'Persons' } }] });
    expect(rest).not.toHaveProperty('nextCursor');
  });

  test('drift comes with the rule that lets it in', async () => {
    expect(await server.ok<Drift>('GET', 'gate/drift')).toEqual({
      labels: [
        { name: 'Planet', count: 2, rule: { kind: 'node', name: 'Planet' } },
        {
          ...{ name: 'Persons', count: 1, suggested: 'Person' },
          rule: { kind: 'node', name: 'Person', absorbs: ['Persons'] },
        },
      ],
      relationship_types: [{ name: 'ORBITS', count: 1, rule: { kind: 'relationship', name: 'ORBITS' } }],
      properties: [{ label: 'Person', property: 'color', count: 1 }],
    });
  });

  test('a name that was shortened has no rule', async () => {
    await write('x'.repeat(300));
    const { labels } = await server.ok<Drift>('GET', 'gate/drift');
    expect(labels.find(({ name }) => name.startsWith('xxx'))).toEqual({ name: expect.any(String), count: 1 });
  });

  test('an added rule holds for the running gate', async () => {
    expect((await write('Moon'))['status']).toBe('rejected');
    const added = await server.ok<Added>('POST', 'gate/registry', { kind: 'node', name: 'Moon' });
    expect(added).toMatchObject({ outcome: 'added', commit_id: expect.any(String) });
    await expect.poll(async () => (await write('Moon'))['status']).toBe('written');
  });

  test('a rule is added and removed with a message, and then no longer holds', async () => {
    const message = 'asked for by Ann';
    const added = await server.ok<Added>('POST', 'gate/registry', { kind: 'node', name: 'Comet', message });
    await server.ok('POST', 'gate/registry', { kind: 'relationship', name: 'PASSES', to: ['Comet'] });
    await expect.poll(async () => (await write('Comet'))['status']).toBe('written');
    const removed = await server.ok<Added>('DELETE', 'gate/registry?name=Comet&message=no%20longer');
    expect(removed).toMatchObject({ name: 'Comet', still_named_by: ['PASSES'] });
    await expect.poll(async () => (await write('Comet'))['status']).toBe('rejected');
    expect(await server.ok('GET', `commits/${added.commit_id}`)).toMatchObject({
      ...{ tool: 'gate_schema_add', actor_id: 'boss', message },
    });
    expect(await server.ok('GET', `commits/${removed.commit_id}`)).toMatchObject({
      ...{ tool: 'gate_schema_remove', message: 'no longer' },
    });
    expect((await server.ask('boss', 'DELETE', 'gate/registry?name=Comet')).status).toBe(404);
  });

  test('only those who write through the gate or decide about it look at it', async () => {
    for (const route of ['gate/registry', 'gate/rejections', 'gate/drift']) {
      expect([route, (await server.ask('reader', 'GET', route)).status]).toEqual([route, 403]);
      expect([route, (await server.ask('gatekeeper', 'GET', route)).status]).toEqual([route, 403]);
    }
    const body = { kind: 'node', name: 'Star' };
    expect((await server.ask('gatekeeper', 'POST', 'gate/registry', body)).status).toBe(403);
    expect((await server.ask('gatekeeper', 'DELETE', 'gate/registry?name=Person')).status).toBe(403);
  });
});
