import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Graph } from '../../src/engine/graph.js';
import { createNodesLenient } from '../../src/engine/write/create-nodes-lenient.js';
import { defaultGraph } from '../../src/model/graph-record.js';
import type { Embedder } from '../../src/search/embedders/embedder.js';
import { BackgroundEmbedder } from '../../src/search/embedding/background-embedder.js';
import { embeddingSpacesOf } from '../../src/search/embedding/embedding-spaces.js';
import { shareEmbedding } from '../../src/search/embedding/share-embedding.js';
import { defaultPerspectives, type Perspective } from '../../src/search/perspectives.js';
import { BackgroundSimilarNodes } from '../../src/search/similar/background-similar-nodes.js';
import { maintainSimilarNodes, needsMaintenance } from '../../src/search/similar/maintain-similar-nodes.js';
import { similarNodes } from '../../src/search/similar/similar-nodes.js';
import { hiddenRegistry } from '../../src/store/graph-targets.js';
import type { VectorSpace } from '../../src/store/vector-store.js';
import { databaseKinds, type Scratch, scratchStore } from '../helpers/stores.js';

const author = { actor: 'ann', tool: 'test' };
const spaces = ['a', 'b'].map((perspective): VectorSpace => ({ model: 'm', perspective, dimension: 16 }));

/** Texts with the same number are near to each other. */
function vectorOf(text: string, perspective: string): Float32Array {
  let state = Number(/\d+/.exec(text)?.[0] ?? 0) * 3 + (perspective === 'a' ? 1_000 : 2_001);
  return Float32Array.from({ length: 16 }, () => {
    state = (state * 48_271 + 11) % 2_147_483_647;
    return state / 2_147_483_647 - 0.5;
  });
}

describe.each(databaseKinds)('similar nodes found in advance, on $kind', (kind) => {
  let scratch: Scratch;
  beforeEach(async () => {
    scratch = await scratchStore(kind);
  });
  afterEach(() => scratch.dispose());

  const fill = async (count: number, from = 0) => {
    const facts = Array.from({ length: count }, (_, at) => ({
      ...{ name: `n${from + at}`, type: 'thing', observations: [`text ${from + at}`] },
    }));
    await new Graph(scratch.store, defaultGraph).write(author, (tx) => createNodesLenient(tx, facts));
  };
  const embed = async () => {
    const { vectors } = scratch.store;
    if (vectors === null) throw new Error('no vectors');
    for (const space of spaces) {
      const pending = await vectors.pending(defaultGraph, space, 10_000);
      const made = pending.map(({ document, text }) => ({
        ...{ document, vector: vectorOf(text, space.perspective) },
      }));
      await vectors.put(defaultGraph, space, made);
    }
  };
  const maintained = () => ({ store: scratch.store, graph: defaultGraph, spaces });
  const background = (errors: unknown[] = []) =>
    new BackgroundSimilarNodes({
      ...{ store: scratch.store, spacesOf: async () => spaces, delayMs: 1 },
      report: (error) => errors.push(error),
    });
  const pairs = async () => {
    const target = { graph: defaultGraph, registry: hiddenRegistry };
    const found = await scratch.store.read(target, (reader) =>
      similarNodes(reader, { known: true, spaces }, { minScore: 0.99 }),
    );
    return found.pairs.map(({ a, b }) => `${a.name} ${b.name}`);
  };

  test('serve the next process, for all perspectives', async () => {
    await fill(2_100);
    await new Graph(scratch.store, defaultGraph).write(author, (tx) =>
      createNodesLenient(tx, [{ name: 'twin', type: 'thing', observations: ['as text 7 says'] }]),
    );
    await embed();
    expect(await needsMaintenance(maintained())).toBe(true);
    const work = background();
    work.wake(defaultGraph, defaultPerspectives);
    await work.idle();
    work.close();
    await scratch.reopen();
    expect(await needsMaintenance(maintained())).toBe(false);
    expect(await pairs()).toEqual(['n7 twin']);
  });

  test('go on from what was saved when the work was stopped', async () => {
    await fill(2_100);
    await embed();
    let steps = 0;
    await maintainSimilarNodes({ ...maintained(), sliceMs: 1, stopped: () => steps++ > 0 });
    expect(await needsMaintenance(maintained())).toBe(true);
    await scratch.reopen();
    await maintainSimilarNodes({ ...maintained(), sliceMs: 1 });
    expect(await needsMaintenance(maintained())).toBe(false);
  });

  test('cost a small graph nothing', async () => {
    await fill(50);
    await embed();
    expect(await needsMaintenance(maintained())).toBe(false);
  });

  test('what fails is reported once, and not after the end', async () => {
    const errors: unknown[] = [];
    const work = background(errors);
    for (const graph of ['gone', 'too']) {
      work.wake(graph, defaultPerspectives);
      await work.idle();
    }
    expect(errors).toHaveLength(1);
    const ended = background(errors);
    await fill(2_100);
    await embed();
    ended.wake(defaultGraph, defaultPerspectives);
    ended.close();
    await ended.idle();
    await scratch.reopen();
    expect(errors).toHaveLength(1);
  });

  test('are found from one perspective while another one is being embedded', async () => {
    await fill(2_100);
    let resume = () => {};
    const paused = new Promise<void>((resolve) => {
      resume = resolve;
    });
    const embedder: Embedder = {
      ...{ id: 'm', perspectives: 'all', canShorten: false, batchSize: 3_000, meaningWeight: 1 },
      dimension: async () => 16,
      async embed(texts, _kind, { name }) {
        if (name === 'b') await paused;
        return texts.map((text) => vectorOf(text, name));
      },
    };
    const perspectives = ['a', 'b'].map((name): Perspective => ({ name, instruction: name }));
    const own = await embeddingSpacesOf({ embedder, perspectives });
    const work = new BackgroundSimilarNodes({
      ...{ store: scratch.store, delayMs: 1, report: () => {} },
      spacesOf: async (of) =>
        (await embeddingSpacesOf({ embedder, perspectives: of })).map(({ space }) => space),
    });
    const embedding = new BackgroundEmbedder({
      ...{ store: scratch.store, embedder, perspectivesOf: () => perspectives },
      completed: (graph, of) => work.wake(graph, of),
    });
    embedding.wake(defaultGraph);
    const isOpen = (at: number) =>
      needsMaintenance({ ...maintained(), spaces: own.slice(at, at + 1).map(({ space }) => space) });
    const vectors = () => scratch.store.vectors?.spaces(defaultGraph);
    while ((await vectors())?.length !== 1 || (await isOpen(0)))
      await new Promise((resolve) => setTimeout(resolve, 20));
    resume();
    while ((await vectors())?.length !== 2 || (await isOpen(1)))
      await new Promise((resolve) => setTimeout(resolve, 20));
    await embedding.close();
    work.close();
    await work.idle();
  });

  test('belong to graphs whose similar nodes are searched, once their texts have vectors', async () => {
    await fill(2_100);
    const embedding = await shareEmbedding(scratch.store, { provider: 'local' }, () => {});
    if (embedding === null) throw new Error('nothing to embed with');
    const { embedder } = embedding;
    const own = await embeddingSpacesOf({ embedder, perspectives: defaultPerspectives });
    const isOpen = () => needsMaintenance({ ...maintained(), spaces: own.map(({ space }) => space) });
    embedding.wake(defaultGraph, defaultPerspectives);
    while (!(await embedding.catchUp(defaultGraph, 1_000)));
    expect(await isOpen()).toBe(true);
    embedding.maintainSimilarNodes(defaultGraph);
    await fill(1, 2_100);
    embedding.wake(defaultGraph, defaultPerspectives);
    while (await isOpen()) await new Promise((resolve) => setTimeout(resolve, 20));
    await embedding.release();
  }, 60_000);
});
