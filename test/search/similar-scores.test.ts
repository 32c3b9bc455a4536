import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { defaultGraph } from '../../src/model/graph-record.js';
import { type SimilarPairsRequest, similarNodes } from '../../src/search/similar/similar-nodes.js';
import type { VectorSpace } from '../../src/store/vector-store.js';
import { databaseKinds, openWithGraph, type Scratch, scratchStore } from '../helpers/stores.js';
import { put } from '../store/conformance/graph-by-name.js';

const short: VectorSpace = { model: 'm', perspective: 'short', dimension: 64 };
const long: VectorSpace = { ...short, perspective: 'long' };

/** Texts with the same number are equal; the others point anywhere, plus what the perspective adds to all. */
function vectorOf(text: string, { perspective }: VectorSpace): Float32Array {
  let state = Number(/\d+/.exec(text)?.[0] ?? 0) * 7 + 1_000;
  const added = perspective === 'long' ? 1 : 0;
  return Float32Array.from({ length: 64 }, () => {
    state = (state * 48_271 + 11) % 2_147_483_647;
    return state / 2_147_483_647 - 0.5 + added;
  });
}

describe.each(databaseKinds)('scores of similar nodes, on $kind', (kind) => {
  let scratch: Scratch;
  beforeEach(async () => {
    scratch = await scratchStore(kind);
  });
  afterEach(() => scratch.dispose());

  const say = (texts: Readonly<Record<string, string>>) => {
    const nodes = Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, [text]]));
    return scratch.store.write({ graph: defaultGraph }, { actor: 'ann', tool: 'test' }, (writer) =>
      put(writer, { nodes }),
    );
  };
  const sayMany = (count: number) =>
    say(Object.fromEntries(Array.from({ length: count }, (_, at) => [`n${at}`, `text ${at}`])));
  const embed = async (space = short, most = 10_000) => {
    const pending = ((await scratch.store.vectors?.pending(defaultGraph, space, 10_000)) ?? [])
      .filter(({ text }) => text.startsWith('text '))
      .slice(0, most);
    const made = pending.map(({ document, text }) => ({ document, vector: vectorOf(text, space) }));
    await scratch.store.vectors?.put(defaultGraph, space, made);
  };
  const compared = () =>
    scratch.store.read({ graph: defaultGraph }, async (reader) => {
      const { compared, meanCosine } = await reader.nearNodePairs(short, { minScore: 0.7 });
      return { compared, meanCosine };
    });
  const search = (request: SimilarPairsRequest, inSpaces: readonly VectorSpace[] = [short]) =>
    scratch.store.read({ graph: defaultGraph }, async (reader) => {
      const { pairs, warnings } = await similarNodes(reader, { known: true, spaces: inSpaces }, request);
      return { pairs: pairs.map(({ a, b, similarity }) => [`${a.name} ${b.name}`, similarity]), warnings };
    });

  test('a perspective that has only begun to be embedded does not lower the scores of another one', async () => {
    await say({ a: 'text 1', b: 'text 1', c: 'text 2' });
    await embed(long);
    await embed(short, 1);
    const { pairs } = await search({ minScore: 0.99, limit: 10 }, [short, long]);
    expect(pairs).toEqual([['a b', 1]]);
  });

  test('what a perspective adds to all pairs does not make them many similar ones', async () => {
    await sayMany(200);
    for (const space of [short, long]) await embed(space);
    // More pairs than are kept are similar by the cosines alone.
    const near = await scratch.store.read({ graph: defaultGraph }, (reader) =>
      reader.nearNodePairs(long, { minScore: 0.75 }),
    );
    expect(near.leastKnown).toBeGreaterThan(0.75);
    expect(await search({ minScore: 0.75 }, [short, long])).toEqual({ pairs: [], warnings: [] });
  });

  test('nodes that say the same have a similarity of 1, also if they say it in another order or twice', async () => {
    await scratch.store.write({ graph: defaultGraph }, { actor: 'ann', tool: 'test' }, async (writer) => {
      const facts = Array.from({ length: 20 }, (_, at) => [
        `text ${at}`,
        `text ${at + 30}`,
        `text ${at + 60}`,
      ]);
      for (const [at, [x = '', y = '', z = '']] of facts.entries())
        await put(writer, {
          nodes: { [`one${at}`]: [x, y, z], [`other${at}`]: [z, x, y], [`twice${at}`]: [x, y, z, z, y, x] },
        });
    });
    for (const space of [short, long]) await embed(space);
    const { pairs, warnings } = await search({ minScore: 1, limit: 100 }, [short, long]);
    expect(warnings).toEqual([]);
    expect(pairs).toHaveLength(60);
    for (const [, similarity] of pairs) expect(similarity).toBe(1);
  });

  test('nodes without vectors are similar to none, whichever process dropped these', async () => {
    // More than are compared without a thread.
    await sayMany(310);
    await embed();
    const every = { minScore: -1, limit: 1_000 };
    expect((await search(every)).pairs).toHaveLength(1_000);
    const other = await openWithGraph(scratch.path);
    try {
      for (const left of [0, 5, 2]) {
        await other.vectors?.forget(defaultGraph);
        await embed(short, left);
        const near = await compared();
        expect(near.compared).toBe(left);
        expect((await search(every)).pairs).toHaveLength((left * (left - 1)) / 2);
        await scratch.reopen();
        expect(await compared()).toEqual(near);
        await embed();
        expect((await compared()).compared).toBe(310);
      }
    } finally {
      await other.close();
    }
  });
});
