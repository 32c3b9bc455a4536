import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { Graph } from '../../src/engine/graph.js';
import { createNodesLenient } from '../../src/engine/write/create-nodes-lenient.js';
import { deleteNodes } from '../../src/engine/write/delete-nodes.js';
import { deleteObservations } from '../../src/engine/write/delete-observations.js';
import type { Embedder } from '../../src/search/embedders/embedder.js';
import { localEmbedder } from '../../src/search/embedders/local-embedder.js';
import { embedGraph } from '../../src/search/embedding/embed-graph.js';
import { defaultPerspectives } from '../../src/search/perspectives.js';
import { openStoreAtLocation } from '../../src/store/open-store-at-location.js';
import type { Store } from '../../src/store/store-contract.js';
import type { NearText } from '../../src/store/vector-store.js';
import { type FreshDatabase, freshDatabase } from './support/fresh-database.js';
import { isCitus } from './support/nodes.js';
import { describeWithRealServer, testWithRealServer } from './support/real.js';

const author = { actor: 'ann', tool: 'test' };
const dimension = 32;

/** The same number always gives the same vector of length 1; numbers are spread over forty themes. */
function vectorOf(number: number): Float32Array {
  const random = (seed: number) => {
    let state = seed + 1;
    return () => {
      state = Math.imul(state ^ (state >>> 15), 2_246_822_519) + 0x9e37_79b9;
      return ((state >>> 8) & 0xffff) / 0xffff - 0.5;
    };
  };
  const [theme, own] = [random((number % 40) * 7_919), random(number * 104_729 + 13)];
  const vector = Float32Array.from({ length: dimension }, () => theme() + own());
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
}

/** Embeds texts that end in a number. */
const numbered: Embedder = {
  id: 'numbered',
  perspectives: 'none',
  canShorten: false,
  meaningWeight: 0.1,
  batchSize: 1_000,
  dimension: async () => dimension,
  embed: async (texts) => texts.map((text) => vectorOf(Number(/\d+$/.exec(text)?.[0] ?? 0))),
};
const space = { model: numbered.id, perspective: '', dimension };

const embed = async (store: Store, graph: string, embedder = numbered) => {
  if (store.vectors === null) throw new Error('no vectors');
  return embedGraph({ vectors: store.vectors, graph, embedder, perspectives: defaultPerspectives });
};
const near = (graph: Graph, query: number, limit = 10): Promise<NearText[]> =>
  graph.read((reader) => reader.nearTexts(space, vectorOf(query), { limit }));
const numbersIn = (texts: readonly NearText[]) =>
  texts.filter(({ ordinal }) => ordinal !== null).map(({ text }) => Number(/\d+$/.exec(text)?.[0]));

/** What comparing with every one of the numbers gives. */
function nearestOf(numbers: Iterable<number>, query: number, limit: number): number[] {
  const wanted = vectorOf(query);
  const scored = [...numbers].map((number) => ({
    number,
    score: vectorOf(number).reduce((sum, value, axis) => sum + value * (wanted[axis] ?? 0), 0),
  }));
  return scored
    .sort((a, b) => b.score - a.score)
    .slice(0, limit)
    .map(({ number }) => number);
}

const scansHere = `select sum(idx_scan)::int as n from pg_stat_user_indexes where indexrelname like 'text_vector_near_%'`;
const scansOnNodes = `select sum(result::int)::int as n from run_command_on_shards('trellis.text_vector', $$
  select sum(idx_scan) from pg_stat_user_indexes where relid = '%s'::regclass and indexrelname like 'text_vector_near_%%' $$)`;

// PGlite takes long to embed as many texts as an index is worth.
describeWithRealServer('vectors that pgvector has an index for', () => {
  const count = 10_500;
  let database: FreshDatabase;
  let store: Store;
  let graph: Graph;
  let small: Graph;

  const write = (target: Graph, name: string, numbers: readonly number[]) =>
    target.write(author, (tx) =>
      createNodesLenient(tx, [
        { name, type: 'thing', observations: numbers.map((number) => `text ${number}`) },
      ]),
    );
  const range = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => from + at);
  const recall = async (target: Graph, numbers: readonly number[]) => {
    let found = 0;
    for (const query of range(0, 30)) {
      const exact = new Set(nearestOf(numbers, query * 331 + 17, 10));
      const answered = numbersIn(await near(target, query * 331 + 17, 11)).slice(0, 10);
      found += answered.filter((number) => exact.has(number)).length;
    }
    return found / 300;
  };

  beforeAll(async () => {
    database = await freshDatabase();
    store = await openStoreAtLocation(database.url);
    await store.createGraph('large');
    await store.createGraph('small');
    graph = new Graph(store, 'large');
    small = new Graph(store, 'small');
    for (let at = 0; at < count; at += 500) await write(graph, `node ${at}`, range(at, at + 500));
    await write(small, 'few', range(0, 40));
    await embed(store, 'small');
    await embed(store, 'large');
  });
  afterAll(async () => {
    await store.close();
    await database.drop();
  });

  test('there is one, made as soon as it is worth it', async () => {
    const indexes = await database.query<{ indexdef: string }>(
      `select indexdef from pg_indexes where schemaname = 'trellis' and indexname like 'text_vector_near_%'`,
    );
    expect(indexes.map(({ indexdef }) => indexdef)).toEqual([expect.stringContaining('USING hnsw')]);
  });

  test('what it proposes misses next to nothing of what comparing with all of them gives', async () => {
    expect(await recall(graph, range(0, count))).toBeGreaterThanOrEqual(0.99);
    // How often an index was used is written down a moment later.
    const scans = async () => {
      const [row] = await database.query<{ n: number }>(isCitus ? scansOnNodes : scansHere);
      return row?.n;
    };
    await expect.poll(scans).toBeGreaterThanOrEqual(30);
  });

  test('a small graph in the same index is searched exactly, and sees nothing of the large one', async () => {
    for (const query of [3, 500, 9_000]) {
      expect(numbersIn(await near(small, query, 11)).slice(0, 10)).toEqual(
        nearestOf(range(0, 40), query, 10),
      );
    }
  });

  test('a branch finds what it sees: not what it deleted, and what it wrote', async () => {
    await store.createBranch('large', 'draft');
    const draft = new Graph(store, 'large', { branch: 'draft' });
    const query = 777;
    const [first = 0, second = 0] = nearestOf(range(0, count), query, 2);
    await draft.write(author, (tx) =>
      deleteObservations(tx, [
        { name: `node ${first - (first % 500)}`, texts: [`text ${first}`] },
        { name: `node ${second - (second % 500)}`, texts: [`text ${second}`] },
      ]),
    );
    await write(draft, 'again', [query]);
    await embed(store, 'large');
    const seen = numbersIn(await near(draft, query, 20));
    expect(seen).toContain(query);
    expect(seen.filter((number) => number === first || number === second)).toEqual(
      [first, second].filter((number) => number === query),
    );
    expect(numbersIn(await near(graph, query, 20)).slice(0, 2)).toEqual([first, second]);
    const left = range(0, count).filter((number) => number !== first && number !== second);
    expect(await recall(draft, [...left, query])).toBeGreaterThanOrEqual(0.99);
  });

  test('a branch that sees next to nothing of it still finds all that is left', async () => {
    await store.createBranch('large', 'bare');
    const bare = new Graph(store, 'large', { branch: 'bare' });
    const names = range(0, count / 500).map((at) => `node ${at * 500}`);
    await bare.write(author, (tx) => deleteNodes(tx, names.slice(1)));
    const found = numbersIn(await near(bare, 4_242, 10));
    expect(found.slice(0, 9)).toEqual(nearestOf(range(0, 500), 4_242, 9));
  });

  test('without it, the store advises to create it', async () => {
    const advised = async () => (await store.advice()).filter((advice) => advice.includes('numbered'));
    expect(await advised()).toEqual([]);
    const [index] = await database.query<{ name: string }>(
      `select indexname as name from pg_indexes where schemaname = 'trellis' and indexname like 'text_vector_near_%'`,
    );
    await database.query(`drop index trellis.${index?.name}`);
    expect(await advised()).toEqual([
      'The vectors of numbered have no index, so a search by meaning compares all of them. Run trellis embed as the owner of the tables.',
    ]);
    await store.vectors?.maintain('large', space);
    expect(await advised()).toEqual([]);
  });
});

describe('pgvector that comes later', () => {
  testWithRealServer('is used from then on, for what was embedded before too', async () => {
    const database = await freshDatabase();
    onTestFinished(() => database.drop());
    const role = `trellis_role_${randomBytes(4).toString('hex')}`;
    const name = new URL(database.url).pathname.slice(1);
    await database.query(`create role ${role} login password 'secret'`);
    await database.query(`grant create on database ${name} to ${role}`);
    const url = new URL(database.url);
    url.username = role;
    url.password = 'secret';
    onTestFinished(async () => {
      await database.query(`drop owned by ${role} cascade`);
      await database.query(`drop role ${role}`);
    });

    const before = await openStoreAtLocation(url.href);
    expect(await before.advice?.()).toContainEqual(expect.stringContaining('pgvector is missing'));
    await before.createGraph('default');
    const texts = ['the dog chased a cat', 'the bank charged interest on the loan', 'a red car'];
    await new Graph(before, 'default').write(author, (tx) =>
      createNodesLenient(tx, [{ name: 'all', type: 'thing', observations: texts }]),
    );
    await embed(before, 'default', localEmbedder);
    const ask = async (store: Store) => {
      const [query = new Float32Array()] = await localEmbedder.embed(['puppies'], 'query', {
        name: '',
        instruction: '',
      });
      const local = { model: localEmbedder.id, perspective: '', dimension: query.length };
      return store.read({ graph: 'default' }, (reader) => reader.nearTexts(local, query, { limit: 3 }));
    };
    const found = await ask(before);
    expect(found[0]?.text).toBe('the dog chased a cat');
    await before.close();

    await database.query('create extension vector schema public');
    const after = await openStoreAtLocation(url.href);
    onTestFinished(() => after.close());
    expect(await after.advice?.()).toEqual([expect.stringContaining('not in the column of pgvector')]);
    expect(await ask(after)).toEqual(found);
    expect(await embed(after, 'default', localEmbedder)).toBe(0);
    expect(await ask(after)).toEqual(found);
    expect(
      await database.query('select count(*)::int as n from trellis.text_vector where embedding is null'),
    ).toEqual([{ n: 0 }]);
    expect(await after.advice?.()).toEqual([]);
  });
});
