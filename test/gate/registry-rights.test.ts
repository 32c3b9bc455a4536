import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Action, Permission } from '../../src/access/permission.js';
import { Graph } from '../../src/engine/graph.js';
import { GraphSource } from '../../src/gate/registry/graph-source.js';
import { defaultGraph } from '../../src/model/graph-record.js';
import { executeQuery, type QueryTarget } from '../../src/query/execute-query.js';
import { hiddenRegistry, type RegistryAccess } from '../../src/store/graph-targets.js';
import { callTool, type ToolResult } from '../../src/surfaces/dispatch.js';
import { openSurface } from '../../src/surfaces/surface-registry.js';
import { databaseKinds, type Scratch, scratchStore } from '../helpers/stores.js';
import { requestContextOn } from '../helpers/surfaces.js';
import { register } from './gate-client.js';

const everythingButSchemas: readonly Action[] = [
  ...(['read', 'change', 'gate_write', 'invoke_query', 'export'] as const),
  ...(['branch_create', 'branch_delete', 'branch_merge', 'graph_list', 'graph_admin'] as const),
];

describe.each(databaseKinds)('who may change the registry, on $kind', (kind) => {
  let scratch: Scratch;

  beforeEach(async () => {
    scratch = await scratchStore(kind);
    await register(scratch.store, 'Person');
    await register(scratch.store, 'KNOWS', { kind: 'relationship' });
  });
  afterEach(() => scratch.dispose());

  async function call(tool: string, args: object, actions = everythingButSchemas): Promise<ToolResult> {
    const { store } = scratch;
    const graph = new Graph(store, defaultGraph);
    const surface = await openSurface('graph', { store, graph, settings: {}, warn: () => {} });
    const may = (permissions: readonly Permission[]) =>
      permissions.every(({ action }) => actions.includes(action));
    const result = await callTool({ ...requestContextOn(surface, graph), may }, tool, args);
    await surface.close?.();
    return result;
  }

  const registry = async (branch?: string) => {
    const graph = new Graph(scratch.store, defaultGraph, branch === undefined ? {} : { branch });
    const loaded = await new GraphSource(graph).load();
    return [...loaded.allCanonicalLabels(), ...loaded.allRelationTypes()];
  };

  const ingest = (data: object, mode: string) => ({
    ndjson: JSON.stringify({ type: 'Schema', data }),
    mode,
  });

  const attempts: readonly (readonly [what: string, tool: string, args: object])[] = [
    ['adds an entry', 'mutate', { query: 'query q() { insert Schema { name: "Evil", allowed: true } }' }],
    [
      'changes an entry',
      'mutate',
      { query: 'query q() { update Schema set { absorbs: ["Evil"] } where name = "Person" }' },
    ],
    [
      'takes an entry out of force',
      'mutate',
      { query: 'query q() { update Schema set { allowed: false } where name = "Person" }' },
    ],
    ['removes an entry', 'mutate', { query: 'query q() { delete Schema where name = "Person" }' }],
    ['adds an entry', 'ingest', ingest({ name: 'Evil', allowed: true }, 'merge')],
    ['changes an entry', 'ingest', ingest({ name: 'Person', absorbs: ['Evil'] }, 'merge')],
    ['replaces all of them', 'ingest', ingest({ name: 'Mine' }, 'overwrite')],
  ];

  test.each(attempts)('trust 37: %s with %s only with schema_apply', async (_, tool, args) => {
    const before = await registry();
    const refused = await call(tool, args);
    expect(refused.isError, JSON.stringify(refused.content)).toBe(true);
    expect(JSON.stringify(refused.content)).toContain('registry');
    expect(await registry()).toEqual(before);
    const done = await call(tool, args, [...everythingButSchemas, 'schema_apply']);
    expect(done.isError, JSON.stringify(done.content)).toBeUndefined();
  });

  test('trust 37: a merge brings changes of the registry only with schema_apply, and a dry run says so', async () => {
    const all: readonly Action[] = [...everythingButSchemas, 'schema_apply'];
    await call('branches_create', { name: 'draft' });
    const evil = { query: 'query q() { insert Schema { name: "Evil", allowed: true } }' };
    expect((await call('mutate', { ...evil, branch: 'draft' })).isError).toBe(true);
    expect((await call('mutate', { ...evil, branch: 'draft' }, all)).isError).toBeUndefined();
    const merge = { source: 'draft', target: 'main' };
    for (const args of [merge, { ...merge, dry_run: true }])
      expect(JSON.stringify((await call('branches_merge', args)).content)).toContain('registry');
    expect(await registry()).toEqual(['Person', 'KNOWS']);
    for (const args of [{ ...merge, dry_run: true }, merge])
      expect((await call('branches_merge', args, all)).isError).toBeUndefined();
    expect(await registry()).toEqual(['Person', 'Evil', 'KNOWS']);
  });

  test('trust 32: a dry run names the conflicts that the merge would name, whoever changed the registry', async () => {
    const all: readonly Action[] = [...everythingButSchemas, 'schema_apply'];
    const named = (name: string) => ({
      query: `query q() { insert Person { name: "Ada", nick: "${name}" } }`,
    });
    await call('branches_create', { name: 'draft' });
    await call('mutate', named('A'));
    await call('mutate', { ...named('B'), branch: 'draft' });
    const evil = { query: 'query q() { insert Schema { name: "Evil", allowed: true } }' };
    await call('mutate', { ...evil, branch: 'draft' }, all);
    const merge = { source: 'draft', target: 'main' };
    const merged = await call('branches_merge', merge);
    expect(JSON.stringify(merged.content)).toContain('nick');
    expect(await call('branches_merge', { ...merge, dry_run: true })).toEqual(merged);
  });

  test('a query that comes again does not show the registry to whom it is hidden', async () => {
    const source = { text: 'query q() { match { $s: Schema } return { $s.name } }' };
    const rowsFor = async (access: RegistryAccess | undefined) => {
      const target: QueryTarget = {
        read: (work) => scratch.store.read({ graph: defaultGraph, registry: access }, work),
      };
      return (await executeQuery(target, { source }, { clock: Date.now, embed: null })).rows;
    };
    for (const _ of [1, 2]) {
      expect(await rowsFor(undefined)).toEqual([['KNOWS'], ['Person']]);
      expect(await rowsFor(hiddenRegistry)).toEqual([]);
    }
  });

  test('trust 34: whoever may not read is not told which entry a condition met', async () => {
    const everything = { query: 'query q() { delete Schema where allowed = true }' };
    expect(JSON.stringify((await call('mutate', everything)).content)).toContain('Schema node Person');
    const refused = JSON.stringify(await call('mutate', everything, ['change']));
    expect(refused).toContain('registry');
    expect(refused).not.toMatch(/Person|KNOWS/);
  });

  test('trust 37: everything else, also other nodes of the type Schema, takes no such right', async () => {
    const plain = await call('mutate', {
      query: 'query q() { insert Schema { name: "Tables" } insert Person { name: "Ada" } }',
    });
    expect(plain.isError, JSON.stringify(plain.content)).toBeUndefined();
    await call('branches_create', { name: 'draft' });
    await call('mutate', { query: 'query q() { insert Person { name: "Bob" } }', branch: 'draft' });
    const merged = await call('branches_merge', { source: 'draft', target: 'main' });
    expect(merged.isError, JSON.stringify(merged.content)).toBeUndefined();
  });
});
