import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { jsonl, scratchFolder, scratchStore, sqlite } from '../helpers/stores.js';
import { surfaceOn } from '../helpers/surfaces.js';
import { GateClient, knows, nodesOf, person, register } from './gate-client.js';
import { storeGateKinds } from './gate-kinds.js';
import { useGate } from './use-gate.js';

let folder: string;
beforeEach(async () => {
  folder = await scratchFolder();
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function file(name: string, text: string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, text);
  return path;
}

describe.each(storeGateKinds)('a formula of the operator, on $kind', (kind) => {
  const context = useGate(kind);

  test.each([
    ['1.5', 'returned', '1.5'],
    ['-0.1', 'returned', '-0.1'],
    ['Number.NaN', 'returned', 'NaN'],
    ["'0.5'", 'returned', '"0.5"'],
    ['undefined', 'returned', 'undefined'],
    ['Promise.resolve(0.5)', 'reason', expect.stringContaining('it returned a promise')],
    ["(() => { throw new Error('no model'); })()", 'reason', 'no model'],
  ])('that gives %s is FORMULA_INVALID_OUTPUT, and nothing is written', async (value, key, said) => {
    const formula = await file(
      `formula-${encodeURIComponent(value).length}-${Math.random()}.mjs`,
      `export const formula = { allowedExtractionMethods: () => new Set(['manual']), compute: () => ${value} };`,
    );
    const gate = await context.open({ formula });
    const rejected = { status: 'rejected', error_code: 'FORMULA_INVALID_OUTPUT', details: { [key]: said } };
    expect(await gate.writeNode(person('Alice'))).toMatchObject(rejected);
    const stubs = knows('Alice', 'Bob', { endpoint_policy: 'merge_endpoints' });
    expect(await gate.writeRelationship(stubs)).toMatchObject(rejected);
    expect(await nodesOf(context.store)).toEqual([]);
  });

  test('gets a reliability that is clamped already', async () => {
    const formula = await file(
      'clamped.mjs',
      "export const formula = { allowedExtractionMethods: () => ['manual'], compute: (reliability) => reliability };",
    );
    const gate = await context.open({ formula });
    const confidence = async (reliability?: number) =>
      (await gate.writeNode(person('Alice', {}, { reliability })))['confidence'];
    expect(await confidence(17)).toBe(1);
    expect(await confidence(-3)).toBe(0);
    expect(await confidence(Number.POSITIVE_INFINITY)).toBe(1);
    expect(await confidence(undefined)).toBe(0.5);
  });

  test('that does not say what it knows is FORMULA_INVALID_OUTPUT', async () => {
    const formula = await file(
      'mute.mjs',
      'export const formula = { allowedExtractionMethods: () => 7, compute: () => 1 };',
    );
    const gate = await context.open({ formula });
    expect(await gate.writeNode(person('Alice'))).toMatchObject({ error_code: 'FORMULA_INVALID_OUTPUT' });
  });

  test('that fails later, in a promise, does not end the process', async () => {
    const unhandled: unknown[] = [];
    const record = (reason: unknown) => unhandled.push(reason);
    process.on('unhandledRejection', record);
    const late = "async () => { throw new Error('late'); }";
    const gates = await Promise.all(
      [
        `{ allowedExtractionMethods: () => ['manual'], compute: ${late} }`,
        `{ allowedExtractionMethods: ${late}, compute: () => 1 }`,
        `{ allowedExtractionMethods: () => ['manual'], compute: (reliability) => reliability, age: ${late} }`,
      ].map(async (text, n) =>
        context.open({ formula: await file(`late-${n}.mjs`, `export default ${text}`) }),
      ),
    );
    await context.gate.writeNode(person('Alice', { age: 30 }));
    for (const gate of gates)
      expect(await gate.writeNode(person('Alice', { age: 31 }))).toMatchObject({
        error_code: 'FORMULA_INVALID_OUTPUT',
        message: expect.stringContaining('it returned a promise'),
      });
    await new Promise((resolve) => setImmediate(resolve));
    process.off('unhandledRejection', record);
    expect(unhandled).toEqual([]);
  });

  test('that changes its evidence changes nothing else', async () => {
    const formula = await file(
      'changing.mjs',
      `export const formula = {
        allowedExtractionMethods: () => ['manual'],
        compute(reliability, method, evidence) {
          if (evidence !== undefined) Object.assign(evidence.stored, { source: 'changed', confidence: 7 });
          return reliability;
        },
      };`,
    );
    const gate = await context.open({ formula });
    await gate.writeNode(person('Alice', { age: 30 }));
    expect(await gate.writeNode(person('Alice', { age: 31 }, { reliability: 0.1 }))).toMatchObject({
      conflicts: [{ stored: { source: 'test', confidence: 0.9 } }],
    });
  });

  test('that lists no extraction methods is FORMULA_INVALID_OUTPUT', async () => {
    const formula = await file(
      'none.mjs',
      'export const formula = { allowedExtractionMethods: () => new Set(), compute: () => 1 };',
    );
    const gate = await context.open({ formula });
    expect(await gate.writeNode(person('Alice'))).toMatchObject({
      error_code: 'FORMULA_INVALID_OUTPUT',
      message: expect.stringContaining('lists none'),
    });
  });

  test.each([
    ['that is no formula', 'export const formula = 7;'],
    [
      'whose age is no method',
      'export const formula = { allowedExtractionMethods: () => [], compute: () => 1, age: 5 };',
    ],
    ['that cannot be loaded', 'throw new Error("broken");'],
    ['that exports nothing', 'export const other = 7;'],
  ])('%s is refused at the start', async (_, text) => {
    const formula = await file(`no-${Math.random()}.mjs`, text);
    await expect(context.open({ formula })).rejects.toMatchObject({ code: 'USAGE' });
  });

  test('grades by the admiralty code', async () => {
    const gate = await context.open({ formula: 'admiralty' });
    expect(await gate.writeNode(person('Alice', {}, { extraction_method: 'B2' }))).toMatchObject({
      confidence: 0.64,
    });
    expect(await gate.writeNode(person('Alice', {}, { extraction_method: 'api' }))).toMatchObject({
      error_code: 'INVALID_EXTRACTION_METHOD',
    });
  });
});

describe.each(storeGateKinds)('a schema of the operator, on $kind', (kind) => {
  const context = useGate(kind);

  test('that is in a file is in force, and what the graph holds is not', async () => {
    const schemaFile = await file('gate.yaml', 'nodes: [{ label: Dog }]');
    const gate = await context.open({ schemaFile, registry: 'graph' });
    expect(await gate.writeNode(person('Rex', {}, { label: 'Dog' }))).toMatchObject({ status: 'written' });
    expect(await gate.writeNode(person('Alice'))).toMatchObject({ error_code: 'SCHEMA_UNKNOWN_LABEL' });
  });

  test('whose source is gone stays as it was, and the refresh says why', async () => {
    const path = await file('gate.yaml', 'nodes: [{ label: Dog }]');
    const gate = await context.open({ registry: path });
    await rm(path);
    expect(await gate.refresh()).toMatchObject({
      status: 'rejected',
      error_code: 'SCHEMA_SOURCE_UNAVAILABLE',
      details: { source: path, reason: expect.stringContaining('it does not exist') },
    });
    expect(await gate.writeNode(person('Rex', {}, { label: 'Dog' }))).toMatchObject({ status: 'written' });
    await file('gate.yaml', 'nodes: [{ label: Dog, wrong: true }]');
    expect(await gate.refresh()).toMatchObject({
      error_code: 'SCHEMA_SOURCE_UNAVAILABLE',
      details: { code: 'SCHEMA_INVALID' },
    });
    await file('gate.yaml', 'nodes: [{ label: Cat }]');
    expect(await gate.refresh()).toMatchObject({ loaded: 1, relationship_types: 0 });
    expect(await gate.writeNode(person('Rex', {}, { label: 'Dog' }))).toMatchObject({ status: 'rejected' });
  });

  test('that was never there lets nothing in, until it is', async () => {
    const path = join(folder, 'gate.yaml');
    const gate = await context.open({ registry: path });
    expect(context.warnings).toEqual([expect.stringContaining('The gate rejects all writes')]);
    expect(await gate.writeNode(person('Rex', {}, { label: 'Dog' }))).toMatchObject({
      error_code: 'SCHEMA_SOURCE_UNAVAILABLE',
    });
    await file('gate.yaml', 'nodes: [{ label: Dog }]');
    expect(await gate.refresh()).toMatchObject({ loaded: 1 });
    expect(await gate.writeNode(person('Rex', {}, { label: 'Dog' }))).toMatchObject({ status: 'written' });
  });

  test('that cannot be right is refused at the start', async () => {
    const registry = await file('gate.yaml', 'nodes: [{ label: Dog, wrong: true }]');
    await expect(context.open({ registry })).rejects.toMatchObject({ code: 'SCHEMA_INVALID' });
    await expect(context.open({ registry: 'somewhere' })).rejects.toMatchObject({ code: 'USAGE' });
    await expect(context.open({ registry: 'schema' })).rejects.toMatchObject({ code: 'USAGE' });
  });

  test('without its fallback label is refused at the start, and at a refresh', async () => {
    await expect(context.open({ fallback_label: 'Nowhere' })).rejects.toMatchObject({
      code: 'USAGE',
      message: expect.stringContaining('Nowhere is not registered'),
    });
    const path = await file('gate.yaml', 'nodes: [{ label: Dog }]');
    const gate = await context.open({ registry: path, fallback_label: ':Dog' });
    await file('gate.yaml', 'nodes: [{ label: Cat }]');
    expect(await gate.refresh()).toMatchObject({ error_code: 'SCHEMA_SOURCE_UNAVAILABLE' });
    expect(await gate.writeNode(person('Rex', {}, { label: 'Wolf' }))).toMatchObject({ label: 'Dog' });
  });

  test('in the graph that cannot be right keeps the old one in force', async () => {
    await register(context.store, 'Broken', { property_types: { age: 'number' } });
    expect(await context.gate.refresh()).toMatchObject({
      error_code: 'SCHEMA_SOURCE_UNAVAILABLE',
      message: expect.stringContaining('property_types.age'),
    });
    expect(await context.gate.writeNode(person('Alice'))).toMatchObject({ status: 'written' });
  });

  test('refreshed during a hundred writes leaves each of them whole, on one schema or the other', async () => {
    const both = [
      '{ label: A, required_properties: [x] }',
      '{ label: A, remaps_from: [B], required_properties: [y] }',
    ];
    const path = await file('gate.yaml', `nodes: [${both[0]}]`);
    const gate = await context.open({ registry: path });
    const writes = Array.from({ length: 100 }, (_, n) =>
      gate.writeNode(person(`n${n}`, { x: 1, y: 2 }, { label: n % 2 === 0 ? 'A' : 'B' })),
    );
    const refreshes = Array.from({ length: 10 }, async (_, n) => {
      await file('gate.yaml', `nodes: [${both[n % 2]}]`);
      return gate.refresh();
    });
    const answers = await Promise.all(writes);
    await Promise.all(refreshes);
    const written = answers.flatMap((answer, n) => (answer['status'] === 'written' ? [`n${n}`] : []));
    const nodes = await nodesOf(context.store);
    expect(nodes.map(({ name }) => name).sort()).toEqual(written.sort());
    for (const { type, props, provenance } of nodes) {
      expect(type).toBe('A');
      expect(props).toMatchObject({ x: 1, y: 2 });
      expect(provenance).toMatchObject({ confidence: 0.675, properties: { x: { confidence: 0.675 } } });
    }
    for (const answer of answers) {
      if (answer['status'] === 'rejected') expect(answer['error_code']).toBe('SCHEMA_UNKNOWN_LABEL');
    }
    expect(written.length).toBeGreaterThanOrEqual(50);
  });
});

test('a file of JSON lines is refused, saying how to bring it into a database', async () => {
  const scratch = await scratchStore(jsonl);
  await expect(surfaceOn('gate', { store: scratch.store })).rejects.toMatchObject({
    code: 'CAPABILITY_MISSING',
    hint: expect.stringContaining('trellis import'),
  });
  await scratch.dispose();
});

test('each graph has its own schema and its own rejections', async () => {
  const scratch = await scratchStore(sqlite);
  await scratch.store.createGraph('other');
  const gate = await GateClient.direct(scratch.store);
  await gate.writeNode(person('Alice'));
  expect(await scratch.store.rejections('default')).toHaveLength(1);
  expect(await scratch.store.rejections('other')).toEqual([]);
  await scratch.dispose();
});
