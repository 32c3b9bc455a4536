import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Graph } from '../../src/engine/graph.js';
import { createNodesLenient } from '../../src/engine/write/create-nodes-lenient.js';
import { runIngest } from '../../src/ingest/run-ingest.js';
import { defaultGraph } from '../../src/model/graph-record.js';
import { applyGraphSchema } from '../../src/schema/apply/apply-graph-schema.js';
import { embeddingHealth } from '../../src/search/embedding/embedding-health.js';
import { openGraphSearch } from '../../src/search/graph-search.js';
import type { Store } from '../../src/store/store-contract.js';
import { openSurface } from '../../src/surfaces/surface-registry.js';
import { modelServer } from '../helpers/model-server.js';
import { databaseKinds, openWithGraph, type Scratch, scratchStore } from '../helpers/stores.js';

const author = { actor: 'ann', tool: 'test' };
const soon = { timeout: 60_000, interval: 50 };

describe.each(databaseKinds)('what another process writes on $kind', (kind) => {
  let scratch: Scratch;
  let elsewhere: Store;
  let here: Graph;
  let there: Graph;

  beforeEach(async () => {
    scratch = await scratchStore(kind);
    elsewhere = await openWithGraph(scratch.path);
    here = new Graph(scratch.store, defaultGraph);
    there = new Graph(elsewhere, defaultGraph);
  });
  afterEach(async () => {
    await elsewhere.close();
    await scratch.dispose();
  });

  test('is embedded, so that it can be found by meaning', async () => {
    const search = await openGraphSearch({ store: scratch.store, graph: here, settings: {}, warn: () => {} });
    await there.write(author, (tx) =>
      createNodesLenient(tx, [{ name: 'pet', type: 'thing', observations: ['the dog barked'] }]),
    );
    const coverage = async () => here.read(await search.coverage());
    expect(await coverage()).toBe(0);
    await vi.waitFor(async () => expect(await coverage()).toBe(1), soon);
    await search.close();
  });

  test('another model of another process keeps its vectors', async () => {
    const { url, asked } = await modelServer((inputs, response) => {
      const data = inputs.map((text, index) => ({ index, embedding: [text.length, 1] }));
      response.end(JSON.stringify({ data }));
    });
    const note = (name: string) =>
      here.write(author, (tx) =>
        createNodesLenient(tx, [{ name, type: 'thing', observations: [`about ${name}`] }]),
      );
    const warn = () => {};
    const local = await openGraphSearch({ store: scratch.store, graph: here, settings: {}, warn });
    await note('a');
    await vi.waitFor(async () => expect(await here.read(await local.coverage())).toBe(1), soon);
    const embedding = { provider: 'openai', url, model: 'other' } as const;
    const other = await openGraphSearch({ store: elsewhere, graph: there, settings: { embedding }, warn });
    await vi.waitFor(async () => expect(await there.read(await other.coverage())).toBe(1), soon);
    for (const name of ['b', 'c', 'd']) {
      await note(name);
      await vi.waitFor(async () => {
        expect(await here.read(await local.coverage())).toBe(1);
        expect(await there.read(await other.coverage())).toBe(1);
      }, soon);
    }
    expect(asked.flat().filter((text) => text === 'about a')).toHaveLength(1);
    await Promise.all([local.close(), other.close()]);
  });

  test('vectors that it drops are made again by the next search', async () => {
    const search = await openGraphSearch({ store: scratch.store, graph: here, settings: {}, warn: () => {} });
    await here.write(author, (tx) =>
      createNodesLenient(tx, [{ name: 'pet', type: 'thing', observations: ['the dog barked'] }]),
    );
    const find = async () => {
      const found = await search.find('a noisy puppy', 'embedding', async () => ({ hits: [] }));
      const { hits, degraded } = await here.read((reader) => found(reader, { limit: 1 }));
      return { text: hits[0]?.text, degraded: degraded?.message };
    };
    for (let round = 0; round < 3; round++) {
      expect(await find()).toEqual({ text: 'the dog barked', degraded: undefined });
      await elsewhere.vectors?.forget(defaultGraph);
    }
    await search.close();
  });

  test('vectors that it drops count as missing at once', async () => {
    let isUp = true;
    const { url } = await modelServer((inputs, response) => {
      if (!isUp && inputs.some((text) => text.includes('barked'))) response.statusCode = 400;
      const data = inputs.map((text, index) => ({ index, embedding: [text.length, 1] }));
      response.end(JSON.stringify({ data }));
    });
    const embedding = { provider: 'openai', url, model: 'other' } as const;
    const settings = { embedding };
    const search = await openGraphSearch({ store: scratch.store, graph: here, settings, warn: () => {} });
    await here.write(author, (tx) =>
      createNodesLenient(tx, [{ name: 'pet', type: 'thing', observations: ['the dog barked'] }]),
    );
    const waiting = async () => {
      const found = await search.find('a noisy puppy', 'hybrid', async () => ({ hits: [] }));
      return (await here.read((reader) => found(reader, { limit: 1 }))).waiting ?? 0;
    };
    const health = async () => (await embeddingHealth(scratch.store)).flatMap(({ graphs }) => graphs);
    expect(await waiting()).toBe(0);
    expect(await health()).toEqual([{ graph: defaultGraph, coverage: 1, backlog: 0 }]);
    isUp = false;
    await elsewhere.vectors?.forget(defaultGraph);
    expect(await health()).toEqual([{ graph: defaultGraph, coverage: 0, backlog: 1 }]);
    expect(await waiting()).toBe(1);
    await search.close();
  });

  test('gets the vectors that the graph schema derives from texts', async () => {
    await applyGraphSchema(
      { commit: (work) => here.commit(author, work) },
      { source: 'node Recipe { slug: String @key  note: String?  taste: Vector(100) @embed("note") }' },
    );
    const surface = await openSurface('memory', {
      ...{ store: scratch.store, graph: here, settings: {}, warn: () => {} },
    });
    await runIngest(
      { commit: (work) => there.commit(author, work) },
      [Buffer.from('{"type":"Recipe","data":{"slug":"soup","note":"hot"}}')],
      { mode: 'merge', maxBytes: 1_000 },
    );
    await vi.waitFor(async () => {
      const [node] = await here.read((reader) => reader.nodesNamed(['soup']));
      expect(node?.props['taste']).toHaveLength(100);
    }, soon);
    await surface.close?.();
  });
});
