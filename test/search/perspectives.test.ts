import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Graph } from '../../src/engine/graph.js';
import { createNodesLenient } from '../../src/engine/write/create-nodes-lenient.js';
import { defaultGraph } from '../../src/model/graph-record.js';
import { type Embedder, normalizeVector } from '../../src/search/embedders/embedder.js';
import { localEmbedder } from '../../src/search/embedders/local-embedder.js';
import { embedGraph } from '../../src/search/embedding/embed-graph.js';
import { resolveSpaces } from '../../src/search/embedding/embedding-spaces.js';
import { searchSemantic } from '../../src/search/search-semantic.js';
import { embedQuery } from '../../src/search/semantic/query-embedding.js';
import { similarNodes } from '../../src/search/similar/similar-nodes.js';
import { databaseKinds, type Scratch, scratchStore } from '../helpers/stores.js';

const perspectives = [
  { name: 'general', instruction: '' },
  { name: 'wordy', instruction: 'a very long instruction that is part of every text' },
];

/** What all texts have in common lies on an axis of its own, as long as the instruction. */
const told: Embedder = {
  ...localEmbedder,
  id: 'told',
  perspectives: 'all',
  dimension: async () => 1 + (await localEmbedder.dimension()),
  async embed(texts, kind, perspective) {
    const vectors = await localEmbedder.embed(texts, kind, perspective);
    return vectors.map((vector) =>
      normalizeVector(Float32Array.of(perspective.instruction.length / 20, ...vector)),
    );
  },
};

describe.each(databaseKinds)('perspectives on $kind', (kind) => {
  let scratch: Scratch;
  let graph: Graph;
  beforeEach(async () => {
    scratch = await scratchStore(kind);
    graph = new Graph(scratch.store, defaultGraph);
    const facts = {
      pets: 'the dog chased a cat',
      bank: 'the bank charged interest on a loan',
      tools: 'a compiler parses programs',
      food: 'soup with lentils and carrots',
    };
    await graph.write({ actor: 'ann', tool: 'test' }, (tx) =>
      createNodesLenient(
        tx,
        Object.entries(facts).map(([name, text]) => ({ name, type: 'note', observations: [text] })),
      ),
    );
    const { vectors } = scratch.store;
    if (vectors === null) throw new Error('no vectors');
    await embedGraph({ vectors, graph: defaultGraph, embedder: told, perspectives });
  });
  afterEach(() => scratch.dispose());

  test('the longest instruction does not decide which one matched', async () => {
    const queryEmbedding = await embedQuery({ embedder: told, perspectives }, 'puppies and kittens');
    const { hits } = await graph.read((reader) =>
      searchSemantic({ reader, queryEmbedding }, 'puppies and kittens', { limit: 1 }),
    );
    expect(hits).toMatchObject([{ node: { name: 'pets' }, perspective: 'general' }]);
  });

  test('the longest instruction does not make nodes similar', async () => {
    const spaces = await resolveSpaces({ embedder: told, perspectives });
    const { pairs } = await graph.read((reader) => similarNodes(reader, spaces, { minScore: 0.75 }));
    expect(pairs).toEqual([]);
  });
});
