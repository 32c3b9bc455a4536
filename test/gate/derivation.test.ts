import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readDerivation } from '../../src/engine/derivation/read-derivation.js';
import { Graph } from '../../src/engine/graph.js';
import type { GateSettings } from '../../src/gate/gate-settings.js';
import { defaultGraph, mainBranch } from '../../src/model/graph-record.js';
import { openSurface } from '../../src/surfaces/surface-registry.js';
import { databaseKinds, type Scratch, scratchStore } from '../helpers/stores.js';
import { SurfaceTools } from '../helpers/surface-tools.js';
import { requestContextOn } from '../helpers/surfaces.js';
import { exportedLines } from '../typed/exported-lines.js';
import { GateClient, knows, person, registerPeople } from './gate-client.js';
import { storeGateKinds } from './gate-kinds.js';
import { derivation } from './suites/derivation.js';

for (const kind of storeGateKinds) derivation(kind);

const at = (reliability: number) => ({ extraction_method: 'api', reliability });

describe.each(databaseKinds)('commits as sources, and the chain, on $kind', (kind) => {
  let scratch: Scratch;
  let gate: GateClient;
  const opened: GateClient[] = [];

  beforeEach(async () => {
    scratch = await scratchStore(kind);
    await registerPeople(scratch.store);
    gate = await open();
  });
  afterEach(async () => {
    for (const one of opened.splice(0)) await one.close();
    await scratch.dispose();
  });

  async function open(settings: GateSettings = {}): Promise<GateClient> {
    const client = await GateClient.direct(scratch.store, { gate: settings });
    opened.push(client);
    return client;
  }
  const headOf = async (branch = mainBranch) =>
    (await scratch.store.branches(defaultGraph)).find(({ name }) => name === branch)?.headCommit ?? '';
  const graphTools = async () => {
    const graph = new Graph(scratch.store, defaultGraph);
    const surface = await openSurface('graph', { store: scratch.store, graph, settings: {}, warn: () => {} });
    return new SurfaceTools(requestContextOn(surface, graph));
  };

  test('a fact is at most as certain as the least certain thing that the commit wrote', async () => {
    await gate.writeNode(person('Ada', { age: 36 }, at(0.3)));
    await gate.writeNode(person('Ada', { email: 'a@b.c' }, at(0.6)));
    const commit = await headOf();
    await gate.writeNode(person('Ada', { email: 'a@b.c' }, at(0.9)));
    const derived = await gate.writeNode(person('Cid', {}, { ...at(1), derived_from: [commit] }));
    expect(derived).toMatchObject({ status: 'written', confidence: 0.6 });
    await gate.writeRelationship(knows('Ada', 'Cid', at(0.2)));
    const edge = await gate.writeNode(person('Dan', {}, { ...at(1), derived_from: [await headOf()] }));
    expect(edge).toMatchObject({ confidence: 0.2 });
  });

  test('a chain that is too long says where it was not followed', async () => {
    for (let depth = 0; depth <= 25; depth++)
      await gate.writeNode(
        person(`c${depth}`, {}, { ...at(1), derived_from: depth === 0 ? [] : [`c${depth - 1}`] }),
      );
    const steps = await new Graph(scratch.store, defaultGraph).read(async (reader) => {
      const [last] = await reader.nodesNamed(['c25']);
      return readDerivation(reader, last?.provenance ?? null);
    });
    expect(steps.map(({ reference }) => reference)).toEqual(
      Array.from({ length: 20 }, (_, index) => `c${24 - index}`),
    );
    expect(steps.map(({ state }) => state)).toEqual([...Array(19).fill('node'), 'unfollowed']);
  });

  test('so does one that is too wide', async () => {
    for (const group of ['a', 'b', 'c']) {
      for (let index = 0; index < 70; index++) await gate.writeNode(person(`${group} ${index}`, {}, at(1)));
      const derived_from = Array.from({ length: 70 }, (_, index) => `${group} ${index}`);
      await gate.writeNode(person(group, {}, { ...at(1), derived_from }));
    }
    await gate.writeNode(person('all', {}, { ...at(1), derived_from: ['a', 'b', 'c'] }));
    const steps = await new Graph(scratch.store, defaultGraph).read(async (reader) => {
      const [all] = await reader.nodesNamed(['all']);
      return readDerivation(reader, all?.provenance ?? null);
    });
    expect(steps).toHaveLength(201);
    expect(steps.filter(({ state }) => state !== 'node')).toEqual([steps[200]]);
    expect(steps[200]).toMatchObject({ state: 'unfollowed', depth: 2 });
  });

  test('a commit of another branch is unknown', async () => {
    const held = await open({ trust: [{ below: 0.5, branch: 'review' }] });
    const answer = await held.writeNode(person('Ada', {}, at(0.3)));
    const derived_from = [String(answer['commit_id'])];
    expect(await gate.writeNode(person('Cid', {}, { ...at(1), derived_from }))).toMatchObject({
      ...{ status: 'rejected', error_code: 'INVALID_ARGUMENT' },
      details: { unknown: [{ reference: derived_from[0], suggestions: [] }] },
    });
  });

  test('many long names that are unknown make no long message', async () => {
    const derived_from = Array.from({ length: 100 }, (_, n) => `${n} ${'x'.repeat(4_000)}`);
    const answer = await gate.writeNode(person('Cid', {}, { ...at(1), derived_from }));
    expect(answer['message']).toMatch(/"0 x+…".* and 50 more in derived_from\./);
    expect(String(answer['message']).length).toBeLessThan(15_000);
  });

  test('similar names are suggested', async () => {
    await gate.writeNode(person('Katharina', {}, at(0.9)));
    const derived_from = ['Katarina'];
    const answer = await gate.writeNode(person('Cid', {}, { derived_from }));
    expect(answer['details']).toEqual({
      unknown: [{ reference: 'Katarina', suggestions: ['Katharina'] }],
    });
  });

  test('who may not read the target learns nothing of sources: they are refused', async () => {
    await gate.writeNode(person('Ada', {}, at(0.4)));
    const blind = await GateClient.direct(scratch.store, {
      caller: { may: (asked) => asked.every(({ action }) => action !== 'read') },
    });
    opened.push(blind);
    const results = [];
    for (const source of ['Ada', 'Nobody', await headOf()]) {
      const origin = { ...at(1), derived_from: [source] };
      results.push(await blind.writeNode(person('Cid', {}, origin)));
      results.push(await blind.writeRelationship(knows('Ada', 'Ada', origin)));
    }
    expect(new Set(results.map((result) => JSON.stringify(result))).size).toBe(1);
    expect(results[0]).toMatchObject({
      ...{ status: 'rejected', error_code: 'INVALID_ARGUMENT' },
      message: expect.stringContaining('derived_from needs the permission to read'),
    });
    expect(await blind.writeNode(person('Cid', {}, at(1)))).toMatchObject({ status: 'written' });
  });

  test('an unknown source may be held, if anything can be; whether it is, is not said', async () => {
    const rules = await open({ trust: [{ below: 0.5, branch: 'review' }] });
    await rules.writeNode(person('Held', {}, at(0.1)));
    const messageOf = async (client: GateClient, source: string) => {
      const origin = { ...at(1), derived_from: [source] };
      return String((await client.writeNode(person('Cid', {}, origin)))['message']);
    };
    expect(await messageOf(rules, 'Held')).toContain('held for review');
    expect((await messageOf(rules, 'Held')).replace('Held', 'Nobody')).toBe(await messageOf(rules, 'Nobody'));
    expect(await messageOf(gate, 'Nobody')).not.toContain('held');
  });

  test('what is derived from doubtful facts is held, and found again on the branch', async () => {
    const rules = { trust: [{ below: 0.5, branch: 'review' }] };
    await gate.writeNode(person('Ada', {}, at(0.4)));
    const held = await open(rules);
    const answer = await held.writeNode(person('Cid', {}, { ...at(1), derived_from: ['Ada'] }));
    expect(answer).toMatchObject({ status: 'held', branch: 'review', confidence: 0.4 });
    const next = await held.writeNode(person('Dan', {}, { ...at(0.1), derived_from: ['Cid'] }));
    expect(next).toMatchObject({ status: 'held', confidence: 0.1 });
  });

  test('a node of the registry is no source', async () => {
    const answer = await gate.writeNode(person('Cid', {}, { derived_from: ['Person'] }));
    expect(answer).toMatchObject({ error_code: 'INVALID_ARGUMENT' });
  });

  test('queries read it, as a list', async () => {
    await gate.writeNode(person('Ada', {}, at(0.4)));
    await gate.writeNode(person('Cid', {}, { ...at(1), derived_from: ['Ada'] }));
    const tools = await graphTools();
    const source = 'query q() { match { $p: Person } return { $p.name, $p.derived_from } order { $p.name } }';
    expect((await tools.ok('query', { source }))['rows']).toEqual([
      { 'p.name': 'Ada', 'p.derived_from': null },
      { 'p.name': 'Cid', 'p.derived_from': ['Ada'] },
    ]);
    const filter = 'query q() { match { $p: Person  $p.derived_from contains "Ada" } return { $p.name } }';
    expect((await tools.ok('query', { source: filter }))['rows']).toEqual([{ 'p.name': 'Cid' }]);
  });

  test('an export carries it, and an import takes it back', async () => {
    await gate.writeNode(person('Ada', {}, at(0.4)));
    await gate.writeNode(person('Cid', { age: 1 }, { ...at(1), derived_from: ['Ada'] }));
    const lines = await exportedLines<object>(new Graph(scratch.store, defaultGraph));
    await scratch.store.createGraph('copy');
    const graph = new Graph(scratch.store, 'copy');
    const surface = await openSurface('graph', { store: scratch.store, graph, settings: {}, warn: () => {} });
    const tools = new SurfaceTools(requestContextOn(surface, graph));
    await tools.ok('ingest', { ndjson: lines.map((line) => JSON.stringify(line)).join('\n'), mode: 'merge' });
    const [cid] = await graph.read((reader) => reader.nodesNamed(['Cid']));
    expect(cid?.provenance).toMatchObject({
      derived_from: ['Ada'],
      properties: { age: { derived_from: ['Ada'] } },
    });
  });

  test('the chain: each source with its own, a cycle once, and what is gone', async () => {
    await gate.writeNode(person('Eve', {}, at(0.9)));
    await gate.writeNode(person('Ada', {}, { ...at(0.8), derived_from: ['Eve'] }));
    await gate.writeNode(person('Cid', { age: 1 }, { ...at(1), derived_from: ['Ada', await headOf()] }));
    await gate.writeNode(person('Eve', {}, { ...at(0.7), derived_from: ['Cid'] }));
    const graph = new Graph(scratch.store, defaultGraph);
    const chain = () =>
      graph.read(async (reader) => {
        const [cid] = await reader.nodesNamed(['Cid']);
        const steps = await readDerivation(reader, cid?.provenance ?? null);
        return steps.map(({ depth, reference, state }) => [depth, reference.slice(0, 3), state]);
      });
    expect(await chain()).toEqual([
      [1, 'Ada', 'node'],
      [2, 'Eve', 'node'],
      [3, 'Cid', 'node'],
      [4, 'Ada', 'repeated'],
      [4, (await headOf()).slice(0, 3), 'commit'],
      [5, 'Eve', 'repeated'],
      [1, (await headOf()).slice(0, 3), 'repeated'],
    ]);
    await graph.write({ actor: 'a', tool: 't' }, async ({ rows }) => {
      const gone = await rows.nodesNamed(['Eve']);
      await rows.removeNodes(gone.map(({ id }) => id));
    });
    expect((await chain()).filter(([, , state]) => state === 'gone')).toEqual([[2, 'Eve', 'gone']]);
  });
});
