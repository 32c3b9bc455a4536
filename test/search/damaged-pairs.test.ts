import { DatabaseSync } from '@photostructure/sqlite';
import { expect, test } from 'vitest';
import { Graph } from '../../src/engine/graph.js';
import { createNodesLenient } from '../../src/engine/write/create-nodes-lenient.js';
import { defaultGraph } from '../../src/model/graph-record.js';
import { maintainSimilarNodes } from '../../src/search/similar/maintain-similar-nodes.js';
import { similarNodes } from '../../src/search/similar/similar-nodes.js';
import type { VectorSpace } from '../../src/store/vector-store.js';
import { scratchStore, sqlite } from '../helpers/stores.js';

const space: VectorSpace = { model: 'm', perspective: '', dimension: 16 };

/** Texts with the same number are near to each other. */
function vectorOf(text: string): Float32Array {
  let state = Number(/\d+/.exec(text)?.[0] ?? 0) * 3 + 1_000;
  return Float32Array.from({ length: space.dimension }, () => {
    state = (state * 48_271 + 11) % 2_147_483_647;
    return state / 2_147_483_647 - 0.5;
  });
}

const damages = [
  "update node_pairs set body = 'text'",
  'update node_pairs set body = cast(substr(body, 1, 800) as blob)',
  "update node_bits set bits = 'text' where chunk = 3",
  "update node_bits set nodes = 'text', bits = 'text' where chunk = 3",
  'delete from node_bits where chunk = 3',
];

test('similar nodes are found although what was saved of them is damaged', async () => {
  const scratch = await scratchStore(sqlite);
  const say = (texts: Readonly<Record<string, string>>) =>
    new Graph(scratch.store, defaultGraph).write({ actor: 'ann', tool: 'test' }, (tx) =>
      createNodesLenient(
        tx,
        Object.entries(texts).map(([name, text]) => ({ name, type: 'thing', observations: [text] })),
      ),
    );
  const embed = async () => {
    const pending = await scratch.store.vectors?.pending(defaultGraph, space, 10_000);
    const made = (pending ?? []).map(({ document, text }) => ({ document, vector: vectorOf(text) }));
    await scratch.store.vectors?.put(defaultGraph, space, made);
  };
  const pairs = () =>
    scratch.store.read({ graph: defaultGraph }, async (reader) => {
      const found = await similarNodes(reader, { known: true, spaces: [space] }, { minScore: 0.99 });
      expect(found.warnings).toEqual([]);
      return found.pairs.map(({ a, b }) => `${a.name} ${b.name}`).sort();
    });
  const damage = (statement: string) => {
    const database = new DatabaseSync(scratch.path);
    database.exec(statement);
    database.close();
  };
  try {
    await say(Object.fromEntries(Array.from({ length: 2_100 }, (_, at) => [`n${at}`, `text ${at}`])));
    await embed();
    const expected: string[] = [];
    for (const [round, statement] of damages.entries()) {
      await maintainSimilarNodes({
        store: scratch.store,
        graph: defaultGraph,
        spaces: [space],
        sliceMs: 1_000,
      });
      damage(statement);
      await scratch.reopen();
      expect(await pairs(), statement).toEqual(expected);
      await say({ [`twin${round}`]: `like text ${round}` });
      expected.push(`n${round} twin${round}`);
      await embed();
      expect(await pairs(), statement).toEqual(expected);
      damage('delete from node_pairs');
    }
  } finally {
    await scratch.dispose();
  }
}, 60_000);
