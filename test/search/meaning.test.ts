import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Graph } from '../../src/engine/graph.js';
import { createEdgesWithStubs } from '../../src/engine/write/create-edges-with-stubs.js';
import { createNodesLenient } from '../../src/engine/write/create-nodes-lenient.js';
import { deleteNodes } from '../../src/engine/write/delete-nodes.js';
import { deleteObservations } from '../../src/engine/write/delete-observations.js';
import { defaultGraph } from '../../src/model/graph-record.js';
import type { Embedder } from '../../src/search/embedders/embedder.js';
import { localEmbedder } from '../../src/search/embedders/local-embedder.js';
import { BackgroundEmbedder } from '../../src/search/embedding/background-embedder.js';
import { embedGraph } from '../../src/search/embedding/embed-graph.js';
import { embeddingCoverage } from '../../src/search/embedding/embedding-coverage.js';
import { resolveSpaces } from '../../src/search/embedding/embedding-spaces.js';
import { defaultPerspectives, type Perspective } from '../../src/search/perspectives.js';
import { searchHybrid } from '../../src/search/search-hybrid.js';
import { searchSemantic } from '../../src/search/search-semantic.js';
import { embedQuery } from '../../src/search/semantic/query-embedding.js';
import { similarNodes } from '../../src/search/similar/similar-nodes.js';
import { databaseKinds, type Scratch, scratchStore } from '../helpers/stores.js';

const author = { actor: 'ann', tool: 'test' };
const perspectives = defaultPerspectives;

interface SearchOptions {
  readonly embedder?: Embedder | null;
  readonly limit?: number;
  readonly target?: Graph;
  /** Whether texts may be there that have no vector yet. */
  readonly backlog?: boolean;
}

describe.each(databaseKinds)('search by meaning on $kind', (kind) => {
  let scratch: Scratch;
  let graph: Graph;
  beforeEach(async () => {
    scratch = await scratchStore(kind);
    graph = new Graph(scratch.store, defaultGraph);
  });
  afterEach(() => scratch.dispose());

  const write = (nodes: Record<string, string[]>, target = graph) =>
    target.write(author, (tx) =>
      createNodesLenient(
        tx,
        Object.entries(nodes).map(([name, observations]) => ({ name, type: 'thing', observations })),
      ),
    );
  const embed = (embedder: Embedder = localEmbedder, own: readonly Perspective[] = perspectives) => {
    const { vectors } = scratch.store;
    if (vectors === null) throw new Error('no vectors');
    return embedGraph({ vectors, graph: defaultGraph, embedder, perspectives: own });
  };
  const search = async (
    by: typeof searchSemantic,
    query: string,
    { embedder = localEmbedder, limit, target = graph, backlog = false }: SearchOptions = {},
  ) => {
    const meaning = await embedQuery({ embedder, perspectives }, query);
    return target.read((reader) =>
      by({ reader, queryEmbedding: meaning.known ? { ...meaning, backlog } : meaning }, query, { limit }),
    );
  };
  const meant = (query: string, options?: SearchOptions) => search(searchSemantic, query, options);
  const coverage = async (embedder: Embedder | null = localEmbedder) => {
    const spaces = await resolveSpaces({ embedder, perspectives });
    return graph.read((reader) => embeddingCoverage(reader, spaces));
  };

  test('a text is found by what it means, without a word of the query', async () => {
    await write({ a: ['the dog chased a cat'], b: ['the bank charged interest on the loan'] });
    await embed();
    const { hits, degraded } = await meant('puppies and kittens');
    expect(hits[0]).toMatchObject({ text: 'the dog chased a cat', ordinal: 1, perspective: 'general' });
    expect(hits[0]?.score).toBeGreaterThan(0.3);
    expect(degraded).toBeUndefined();
  });

  test('what is nearest is what comparing with every vector gives', async () => {
    const words = 'river money music garden train doctor winter engine bread ocean'.split(' ');
    const texts = words.flatMap((a) => words.map((b) => `${a} and ${b} today`));
    await write({ all: texts });
    await embed();
    const [query = new Float32Array()] = await localEmbedder.embed(['a boat at sea'], 'query', {
      name: '',
      instruction: '',
    });
    const all = await localEmbedder.embed(texts, 'document', { name: '', instruction: '' });
    const cosine = (vector: Float32Array) =>
      vector.reduce((sum, value, axis) => sum + value * (query[axis] ?? 0), 0);
    const exact = all.map(cosine).sort((a, b) => b - a);
    const { hits } = await meant('a boat at sea', { limit: 20 });
    const scores = hits.filter(({ ordinal }) => ordinal !== null).map(({ score }) => score);
    for (const [at, score] of scores.entries()) expect(score).toBeCloseTo(exact[at] ?? 0, 5);
  });

  test('a list of nodes goes on beyond one that has most of the nearest texts', async () => {
    const boats = Array.from({ length: 120 }, (_, at) => `a boat at sea ${at}`);
    await write({ harbour: boats, b: ['bread'], c: ['a doctor'], d: ['winter'], e: ['music'] });
    await embed();
    const meaning = await embedQuery({ embedder: localEmbedder, perspectives }, 'a boat at sea');
    if (!meaning.known) throw new Error(meaning.reason.message);
    const found: string[] = [];
    let cursor: string | undefined;
    do {
      const { hits, nextCursor, missing } = await graph.read((reader) =>
        searchSemantic({ reader, queryEmbedding: { ...meaning, backlog: false } }, 'a boat at sea', {
          ...{ limit: 2, cursor },
          perNode: true,
        }),
      );
      expect(hits).toHaveLength(nextCursor === undefined ? 1 : 2);
      expect(missing).toBeUndefined();
      found.push(...hits.map(({ node }) => node.name));
      cursor = nextCursor;
    } while (cursor !== undefined);
    expect(found[0]).toBe('harbour');
    expect([...found].sort()).toEqual(['b', 'c', 'd', 'e', 'harbour']);
  });

  test('a list of nodes that ends because one has thousands of the nearest texts says so', async () => {
    const boats = Array.from({ length: 3_100 }, (_, at) => `a boat at sea ${at}`);
    await write({ harbour: boats, b: ['bread'] });
    await embed();
    const meaning = await embedQuery({ embedder: localEmbedder, perspectives }, 'a boat at sea');
    if (!meaning.known) throw new Error(meaning.reason.message);
    const { hits, missing } = await graph.read((reader) =>
      searchSemantic({ reader, queryEmbedding: { ...meaning, backlog: false } }, 'a boat at sea', {
        ...{ limit: 150, types: ['thing'] },
        perNode: true,
      }),
    );
    expect(hits.map(({ node }) => node.name)).toEqual(['harbour']);
    expect(missing).toContain('3004 texts');
  });

  test('a deleted observation and a deleted node are never found', async () => {
    await write({ pet: ['the dog barked', 'a red car'], cat: ['a kitten slept'] });
    await embed();
    await meant('animals');
    await graph.write(author, (tx) => deleteObservations(tx, [{ name: 'pet', texts: ['the dog barked'] }]));
    await graph.write(author, (tx) => deleteNodes(tx, ['cat']));
    const texts = (await meant('dog kitten')).hits.map(({ text }) => text);
    expect(texts).toContain('a red car');
    expect(texts).not.toContain('the dog barked');
    expect(texts).not.toContain('a kitten slept');
    expect(texts).not.toContain('cat');
  });

  test('a branch sees the vectors it inherits, and its own are not seen from its parent', async () => {
    await write({ pet: ['the dog barked'] });
    await scratch.store.createBranch(defaultGraph, 'draft');
    const draft = new Graph(scratch.store, defaultGraph, { branch: 'draft' });
    await write({ stray: ['a puppy whined'] }, draft);
    await embed();
    const texts = async (target: Graph) => (await meant('hound', { target })).hits.map(({ text }) => text);
    expect(await texts(draft)).toEqual(expect.arrayContaining(['the dog barked', 'a puppy whined']));
    expect(await texts(graph)).not.toContain('a puppy whined');
  });

  test('graphs are apart', async () => {
    await scratch.store.createGraph('other');
    await write({ pet: ['the dog barked'] });
    await embed();
    const other = new Graph(scratch.store, 'other');
    expect((await meant('dog', { target: other })).hits).toEqual([]);
  });

  test('coverage is the share of the observations that have a vector', async () => {
    expect(await coverage()).toBe(1);
    await write({ a: ['one', 'two', 'three'] });
    expect(await coverage()).toBe(0);
    await embed();
    expect(await coverage()).toBe(1);
    await write({ b: ['four'] });
    expect(await coverage()).toBe(0.75);
    expect(await coverage(null)).toBe(0);
  });

  test('what was interrupted goes on where it ended, also after the store was opened anew', async () => {
    await write({ a: Array.from({ length: 7 }, (_, at) => `text ${at}`) });
    let batches = 0;
    const failing: Embedder = {
      ...localEmbedder,
      batchSize: 3,
      embed: async (texts, textKind, perspective) => {
        batches += 1;
        if (batches > 2) throw new Error('unplugged');
        return localEmbedder.embed(texts, textKind, perspective);
      },
    };
    await expect(embed(failing)).rejects.toThrow('unplugged');
    await scratch.reopen();
    graph = new Graph(scratch.store, defaultGraph);
    expect(await embed()).toBe(2);
    expect(await coverage()).toBe(1);
  });

  test('what waits is named again until it has a vector, whoever made that, and what comes meanwhile is not missed', async () => {
    const { vectors } = scratch.store;
    if (vectors === null) throw new Error('no vectors');
    const space = { model: 'test', perspective: '', dimension: 2 };
    const pending = async (limit: number) =>
      (await vectors.pending(defaultGraph, space, limit)).map(({ text }) => text);
    const put = async (...texts: string[]) => {
      const all = await vectors.pending(defaultGraph, space, 100);
      const some = all.filter(({ text }) => texts.includes(text));
      const vector = Float32Array.of(0, 1);
      await vectors.put(
        defaultGraph,
        space,
        some.map(({ document }) => ({ document, vector })),
      );
    };
    await write({ a: ['1', '2', '3', '4', '5'] });
    expect(await pending(2)).toEqual(['a\nthing', '1']);
    expect(await pending(2)).toEqual(['a\nthing', '1']);
    await put('a\nthing');
    expect(await pending(2)).toEqual(['1', '2']);
    await put('1', '2', '3');
    await write({ b: ['6'] });
    await put('b\nthing');
    const left: string[] = [];
    for (let next = await pending(2); next.length > 0; next = await pending(2)) {
      left.push(...next);
      await put(...next);
    }
    expect(left.sort()).toEqual(['4', '5', '6']);
  });

  test('what is purged while it is embedded is embedded again, without what was purged', async () => {
    await write({ a: ['the secret word'] });
    const embedded: (readonly string[])[] = [];
    const slow: Embedder = {
      ...localEmbedder,
      embed: async (texts, textKind, perspective) => {
        embedded.push(texts);
        if (embedded.length === 1) await scratch.store.purge(defaultGraph, { text: 'secret' });
        return localEmbedder.embed(texts, textKind, perspective);
      },
    };
    await embed(slow);
    expect(embedded).toEqual([
      ['a\nthing', 'the secret word'],
      ['a\nthing', 'the [purged] word'],
    ]);
    expect(await coverage()).toBe(1);
  });

  test('another model, and another instruction, embed everything anew and drop the old vectors', async () => {
    await write({ a: ['one'] });
    const told: Embedder = { ...localEmbedder, id: 'told', perspectives: 'all' };
    const own = [{ name: 'general', instruction: 'first' }];
    expect(await embed()).toBe(2);
    expect(await embed(told, own)).toBe(2);
    expect(await coverage(localEmbedder)).toBe(0);
    expect(await embed(told, own)).toBe(0);
    expect(await embed(told, [{ name: 'general', instruction: 'second' }])).toBe(2);
  });

  test('in the background, what is written is embedded, and what failed is tried again', async () => {
    let broken = true;
    const reported: unknown[] = [];
    const moody: Embedder = {
      ...localEmbedder,
      embed: async (...given) => {
        if (broken) throw new Error('the embedder is down');
        return localEmbedder.embed(...given);
      },
    };
    const background = new BackgroundEmbedder({
      ...{ store: scratch.store, embedder: moody, perspectivesOf: () => perspectives },
      report: (error) => {
        reported.push(error);
        broken = false;
      },
      ...{ pauseMs: 1, retryMs: 1 },
    });
    await write({ pet: ['the dog barked'] });
    background.wake(defaultGraph);
    await background.idle();
    await background.close();
    expect(reported).toHaveLength(1);
    expect(await coverage()).toBe(1);
  });

  test('without an embedder that works, text answers and says why', async () => {
    await write({ pet: ['the dog barked'] });
    const down: Embedder = { ...localEmbedder, embed: () => Promise.reject(new Error('it is down')) };
    for (const by of [searchSemantic, searchHybrid]) {
      expect(await search(by, 'barking dog', { embedder: null })).toMatchObject({
        degraded: { publicMessage: 'No embedder is configured.' },
        hits: [{ text: 'the dog barked', perspective: null }],
      });
      expect(await search(by, 'barking dog', { embedder: down })).toMatchObject({
        degraded: {
          message: 'it is down',
          publicMessage: 'The embedder cannot be reached, or returned an invalid response.',
        },
        hits: [{ ordinal: 1 }],
      });
    }
  });

  test('an answer says how many observations could not be looked at yet', async () => {
    await write({ pet: ['the dog barked'] });
    await embed();
    await write({ stray: ['a puppy whined', 'a red car'] });
    for (const by of [searchSemantic, searchHybrid]) {
      expect(await search(by, 'barking dog', { backlog: true })).toMatchObject({ waiting: 2 });
    }
    await embed();
    expect(await meant('barking dog', { backlog: true })).not.toHaveProperty('waiting');
  });

  test('an empty answer says when nothing was embedded yet, and not when nothing is stored', async () => {
    expect(await meant('barking dog', { backlog: true })).toEqual({ hits: [] });
    await write({ pet: ['a puppy whined'] });
    expect(await meant('barking dog', { backlog: true })).toMatchObject({
      ...{ hits: [], degraded: { publicMessage: 'No text has been embedded yet.' } },
    });
  });

  test('catching up embeds what any process has written, and says if it could not', async () => {
    let calls = 0;
    let broken = false;
    const counting: Embedder = {
      ...localEmbedder,
      embed: async (...given) => {
        calls += 1;
        if (broken) throw new Error('the embedder is down');
        return localEmbedder.embed(...given);
      },
    };
    const background = new BackgroundEmbedder({
      ...{ store: scratch.store, embedder: counting, perspectivesOf: () => perspectives },
      ...{ pauseMs: 60_000, retryMs: 60_000 },
    });
    await write({ pet: ['the dog barked'] });
    expect(await background.catchUp(defaultGraph, 20_000)).toBe(true);
    expect(await coverage()).toBe(1);
    const before = calls;
    expect(await background.catchUp(defaultGraph, 20_000)).toBe(true);
    expect(calls).toBe(before);
    await write({ stray: ['a puppy whined'] });
    broken = true;
    expect(await background.catchUp(defaultGraph, 20_000)).toBe(false);
    broken = false;
    expect(await background.catchUp(defaultGraph, 20_000)).toBe(true);
    expect(await coverage()).toBe(1);
    await background.close();
  });

  test('hybrid puts what both lists have first, and finds what only one has', async () => {
    await write({ a: ['the dog barked'], b: ['a puppy whined'], c: ['interest on the loan'] });
    await embed();
    const { hits } = await search(searchHybrid, 'barking dog');
    const texts = hits.map(({ text }) => text);
    expect(texts[0]).toBe('the dog barked');
    expect(texts).toContain('a puppy whined');
  });

  test('similar nodes are those that say alike and have no edge', async () => {
    await write({
      a: ['the dog barked at the cat'],
      b: ['a dog barked at cats'],
      c: ['dogs barking at a cat'],
      d: ['the bank raised interest rates'],
    });
    await graph.write(author, (tx) => createEdgesWithStubs(tx, [{ from: 'b', to: 'a', type: 'knows' }]));
    await embed();
    const spaces = await resolveSpaces({ embedder: localEmbedder, perspectives });
    const { pairs } = await graph.read((reader) => similarNodes(reader, spaces, { minScore: 0.6 }));
    expect(pairs.map(({ a, b }) => `${a.name}${b.name}`).sort()).toEqual(['ac', 'bc']);
    const none = await resolveSpaces({ embedder: null, perspectives });
    expect(await graph.read((reader) => similarNodes(reader, none))).toEqual({
      pairs: [],
      degraded: { message: 'No embedder is configured.', publicMessage: 'No embedder is configured.' },
      warnings: [],
    });
  });

  test('of more than 2,000 nodes similar ones are found too, without a warning', async () => {
    const some = Array.from({ length: 2_100 }, (_, at) => [`n${at}`, [`ledger ${at} of shop ${at * 7}`]]);
    await write(Object.fromEntries([...some, ['twin', ['ledger 77 of shop 539']]]));
    await embed();
    const spaces = await resolveSpaces({ embedder: localEmbedder, perspectives });
    const similar = () => graph.read((reader) => similarNodes(reader, spaces, { limit: 1 }));
    const { pairs, warnings } = await similar();
    expect(pairs.map(({ a, b }) => [a.name, b.name])).toEqual([['n77', 'twin']]);
    expect(warnings).toEqual([]);
    expect(await similar()).toEqual({ pairs, warnings });
  });
});
