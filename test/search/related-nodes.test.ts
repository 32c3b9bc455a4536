import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Graph } from '../../src/engine/graph.js';
import { createEdgesWithStubs } from '../../src/engine/write/create-edges-with-stubs.js';
import { createNodesLenient } from '../../src/engine/write/create-nodes-lenient.js';
import { defaultGraph } from '../../src/model/graph-record.js';
import { searchHybrid } from '../../src/search/search-hybrid.js';
import { searchObservations } from '../../src/search/search-ranked.js';
import { type Scratch, scratchStore, storeKinds } from '../helpers/stores.js';

const author = { actor: 'ann', tool: 'test' };
const wordsOnly = { known: false, reason: { message: 'none', publicMessage: 'none' } } as const;
const query = 'who directed the film Amarcord';

describe.each(storeKinds)('hybrid search along relations on $kind', (kind) => {
  let scratch: Scratch;
  let graph: Graph;
  beforeEach(async () => {
    scratch = await scratchStore(kind);
    graph = new Graph(scratch.store, defaultGraph);
    const nodes = {
      Amarcord: ['Amarcord is a film of 1973'],
      Bergman: ['directed the play'],
      Fellini: ['directed the play'],
      Visconti: ['directed the play'],
    };
    const specs = Object.entries(nodes).map(([name, observations]) => ({
      name,
      type: 'thing',
      observations,
    }));
    await graph.write(author, (tx) => createNodesLenient(tx, specs));
  });
  afterEach(() => scratch.dispose());

  const relate = (...pairs: readonly (readonly [string, string])[]) =>
    graph.write(author, (tx) =>
      createEdgesWithStubs(
        tx,
        pairs.map(([from, to]) => ({ from, to, type: 'made' })),
      ),
    );
  const nodesFound = async (search: typeof searchHybrid) => {
    const { hits } = await graph.read((reader) => search({ reader, queryEmbedding: wordsOnly }, query));
    return [...new Set(hits.map(({ node }) => node.name))];
  };

  test('of equal texts, one in a node related to the best node comes first', async () => {
    expect(await nodesFound(searchHybrid)).toEqual(['Amarcord', 'Bergman', 'Fellini', 'Visconti']);
    await relate(['Fellini', 'Amarcord']);
    expect(await nodesFound(searchHybrid)).toEqual(['Amarcord', 'Fellini', 'Bergman', 'Visconti']);
    const byWords: typeof searchHybrid = ({ reader }, text) =>
      searchObservations(reader, text).then(({ hits }) => ({
        hits: hits.map((hit) => ({ ...hit, perspective: null })),
      }));
    expect((await nodesFound(byWords)).slice(1)).toEqual(['Bergman', 'Fellini', 'Visconti']);
  });

  test('a node with many relations lends less to each', async () => {
    const gained = async () => {
      const { hits } = await graph.read((reader) =>
        searchHybrid({ reader, queryEmbedding: wordsOnly }, query),
      );
      const scoreOf = (name: string) => hits.find(({ node }) => node.name === name)?.score ?? 0;
      return scoreOf('Bergman') - scoreOf('Visconti');
    };
    expect(await gained()).toBe(0);
    await relate(['Amarcord', 'Bergman']);
    const alone = await gained();
    await relate(...Array.from({ length: 50 }, (_, at) => ['Amarcord', `place ${at}`] as const));
    expect(await gained()).toBeCloseTo(alone / 51, 9);
    expect(alone).toBeGreaterThan(0);
  });

  test('a relation of a node to itself lends nothing', async () => {
    await relate(['Fellini', 'Fellini']);
    expect((await nodesFound(searchHybrid)).slice(1)).toEqual(['Bergman', 'Fellini', 'Visconti']);
  });
});
