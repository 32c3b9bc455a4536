import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Graph } from '../../src/engine/graph.js';
import { createNodesLenient } from '../../src/engine/write/create-nodes-lenient.js';
import { normalizeVector } from '../../src/search/embedders/embedder.js';
import { similarNodes } from '../../src/search/similar/similar-nodes.js';
import type { VectorSpace } from '../../src/store/vector-store.js';
import { databaseKinds, type Scratch, scratchStore } from '../helpers/stores.js';

const author = { actor: 'ann', tool: 'test' };
const spaces = ['a', 'b'].map((perspective): VectorSpace => ({ model: 'm', perspective, dimension: 32 }));

/** Texts `of N` and `like N` are near to each other, and to no other. */
function vectorOf(text: string, perspective: string): Float32Array {
  const [kind, number] = text.split(' ');
  let state = Number(number) * 2 + (perspective === 'a' ? 1_000 : 2_001);
  const random = () => {
    state = (state * 48_271 + 11) % 2_147_483_647;
    return state / 2_147_483_647 - 0.5;
  };
  for (let skipped = 0; skipped < 5; skipped++) random();
  const vector = Float32Array.from({ length: 32 }, random);
  if (kind === 'like') vector[0] = (vector[0] ?? 0) + 0.3;
  return normalizeVector(vector);
}

describe.each(databaseKinds)('similar nodes in a thread, on $kind', (kind) => {
  let scratch: Scratch;
  let graph: Graph;
  beforeEach(async () => {
    scratch = await scratchStore(kind);
    await scratch.store.createGraph('g');
    graph = new Graph(scratch.store, 'g');
    // More than are compared without a thread.
    await write(Array.from({ length: 400 }, (_, index) => [`n${index}`, `of ${index}`]));
    await embed();
  });
  afterEach(() => scratch.dispose());

  const write = (facts: readonly (readonly [name: string, text: string])[], branch = 'main') =>
    graph.withBranch(branch).write(author, (tx) =>
      createNodesLenient(
        tx,
        facts.map(([name, text]) => ({ name, type: 'thing', observations: [text] })),
      ),
    );
  const embed = async () => {
    const { vectors } = scratch.store;
    if (vectors === null) throw new Error('no vectors');
    for (const space of spaces) {
      const pending = await vectors.pending('g', space, 1_000);
      await vectors.put(
        'g',
        space,
        pending.map(({ document, text }) => ({ document, vector: vectorOf(text, space.perspective) })),
      );
    }
  };
  const found = async (branch = 'main') => {
    const { pairs } = await graph
      .withBranch(branch)
      .read((reader) => similarNodes(reader, { known: true, spaces }, { minScore: 0.9 }));
    return pairs.map(({ a, b }) => `${a.name} ${b.name}`).sort();
  };

  test('follow what is written, embedded, changed and deleted', async () => {
    expect(await found()).toEqual([]);
    await write([
      ['x', 'like 7'],
      ['y', 'like 80'],
    ]);
    expect(await found()).toEqual([]);
    await embed();
    expect(await found()).toEqual(['n7 x', 'n80 y']);
    await scratch.store.write({ graph: 'g' }, author, async (writer) => {
      await writer.removeNodes((await writer.identitiesNamed(['n7'])).map(({ node }) => node));
    });
    expect(await found()).toEqual(['n80 y']);
    expect(await found()).toEqual(['n80 y']);
  });

  test('of a branch and its parent are kept apart', async () => {
    await write([['x', 'like 7']]);
    await embed();
    expect(await found()).toEqual(['n7 x']);
    await scratch.store.createBranch('g', 'other');
    await write([['y', 'like 80']], 'other');
    await write([['z', 'like 9']]);
    await embed();
    expect(await found('other')).toEqual(['n7 x', 'n80 y']);
    expect(await found()).toEqual(['n7 x', 'n9 z']);
  });

  test('several calls at once agree', async () => {
    await write([['x', 'like 7']]);
    await embed();
    const answers = await Promise.all([found(), found(), found()]);
    expect(answers).toEqual([['n7 x'], ['n7 x'], ['n7 x']]);
  });
});
