import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Embedder } from '../../src/search/embedders/embedder.js';
import { localEmbedder } from '../../src/search/embedders/local-embedder.js';
import { embedGraph } from '../../src/search/embedding/embed-graph.js';
import { defaultPerspectives } from '../../src/search/perspectives.js';
import { modelServer } from '../helpers/model-server.js';
import { databaseKinds, type Scratch, scratchStore } from '../helpers/stores.js';
import { type ListOf, namesOf, WorkspaceTools } from '../helpers/workspace-tools.js';

interface Match {
  name: string;
  entity_type: string;
  summary: string | null;
  matched_observation: string;
  matched_perspective: string | null;
  score: number;
}

describe.each(databaseKinds)('search in a workspace on $kind', (kind) => {
  let scratch: Scratch;
  let tools: WorkspaceTools;
  beforeEach(async () => {
    scratch = await scratchStore(kind);
    tools = await WorkspaceTools.open(scratch.store);
    await tools.create(
      {
        name: 'Deploys',
        observations: [
          'The release runs every Tuesday',
          'A failed release is rolled back',
          'Ask Ann for access',
        ],
        summary: 'How software reaches users.',
      },
      { name: 'Kitchen', observations: ['The coffee machine needs water', 'Tea is in the cupboard'] },
    );
  });
  afterEach(async () => {
    await tools.close();
    await scratch.dispose();
  });

  /** Waits until everything is embedded. */
  const embedded = () =>
    expect
      .poll(async () => (await tools.ok<{ embedding_coverage: number }>('get_stats')).embedding_coverage)
      .toBe(1);

  test('text mode finds any of the words in any form, one row per node, with the text that matched', async () => {
    const found = await tools.list<Match>('search_nodes', { query: 'releases rolling', mode: 'text' });
    expect(found).toMatchObject([
      {
        name: 'Deploys',
        entity_type: 'thing',
        summary: 'How software reaches users.',
        matched_observation: 'A failed release is rolled back',
        matched_perspective: null,
      },
    ]);
    expect(await tools.list('search_nodes', { query: 'zeppelin', mode: 'text' })).toEqual([]);
  });

  test('names and summaries are searched too', async () => {
    expect(await tools.list<Match>('search_nodes', { query: 'kitchen', mode: 'text' })).toMatchObject([
      { name: 'Kitchen', matched_observation: expect.stringContaining('Kitchen') },
    ]);
    expect(namesOf(await tools.list<Match>('search_nodes', { query: 'software', mode: 'text' }))).toEqual([
      'Deploys',
    ]);
  });

  test('embedding mode finds what is meant once it is embedded', async () => {
    await embedded();
    const [first] = await tools.list<Match>('search_nodes', { query: 'a hot drink in the morning' });
    expect(first?.name).toBe('Kitchen');
    const hybrid = await tools.list<Match>('search_nodes', { query: 'coffee drink', mode: 'hybrid' });
    expect(hybrid[0]).toMatchObject({
      name: 'Kitchen',
      matched_observation: 'The coffee machine needs water',
    });
  });

  test('what was just written is found by what it means, without waiting for it', async () => {
    for (const query of ['puppies and kittens', 'a hot drink']) {
      await tools.create({ name: `Pet ${query}`, observations: ['the dog chased a cat'] });
      for (const mode of ['embedding', 'hybrid']) {
        const answer = await tools.ok<ListOf<Match>>('search_nodes', { query: 'puppies and kittens', mode });
        expect(namesOf(answer.results)).toContain(`Pet ${query}`);
        expect(answer.warnings).toBeUndefined();
      }
    }
  });

  test('an answer says what a slow embedder has not got to yet', async () => {
    let slow = false;
    const held: (() => void)[] = [];
    const { url } = await modelServer((inputs, response) => {
      const answer = () =>
        response.end(JSON.stringify({ embeddings: inputs.map((text) => [text.length, 1]) }));
      if (slow && inputs.some((text) => text.includes('kayak'))) held.push(answer);
      else answer();
    });
    const embedding = { provider: 'ollama', model: 'plain', url } as const;
    const perspectives = [{ name: 'general', instruction: 'What' }];
    await scratch.store.createGraph('other');
    const own = await WorkspaceTools.open(scratch.store, {
      workspace: 'other',
      settings: { embedding, perspectives },
    });
    await own.create({ name: 'Cup', observations: ['tea'] });
    await own.ok('search_nodes', { query: 'coffee' });
    slow = true;
    await own.create({ name: 'Boat', observations: ['a kayak', 'two kayaks'] });
    const warning =
      '2 observations are not embedded yet and can be found only by their words (mode text or hybrid).';
    for (const mode of ['embedding', 'hybrid']) {
      const answer = await own.ok<ListOf<Match>>('search_nodes', { query: 'water', mode });
      expect(answer.warnings).toEqual([warning]);
      expect(answer.degraded).toBeUndefined();
      expect(answer.results).not.toEqual([]);
    }
    expect((await own.ok<ListOf<object>>('find_similar_nodes')).warnings).toEqual([
      '2 observations are not embedded yet, so their nodes are not compared. The server embeds them in the background; call again later.',
    ]);
    const hybrid = await own.list<Match>('search_nodes', { query: 'a boat', mode: 'hybrid' });
    expect(namesOf(hybrid)).toContain('Boat');
    slow = false;
    for (const answer of held.splice(0)) answer();
    await expect
      .poll(async () => (await own.ok<ListOf<Match>>('search_nodes', { query: 'water' })).warnings)
      .toBeUndefined();
    await own.close();
  });

  test('a store of another model is embedded again, and says so until that is done', async () => {
    const { vectors } = scratch.store;
    if (vectors === null) throw new Error('no vectors');
    await tools.close();
    await vectors.forget('default');
    const former: Embedder = {
      ...localEmbedder,
      id: 'local:glove-60k-100d-1',
      dimension: async () => 100,
      embed: async (texts) => texts.map(() => new Float32Array(100).fill(0.1)),
    };
    await embedGraph({ vectors, graph: 'default', embedder: former, perspectives: defaultPerspectives });

    const held: (() => void)[] = [];
    let released = false;
    const { url } = await modelServer((inputs, response) => {
      const answer = () =>
        response.end(JSON.stringify({ embeddings: inputs.map((text) => [text.length, 1]) }));
      if (!released && inputs.some((text) => text.includes('machine'))) held.push(answer);
      else answer();
    });
    const embedding = { provider: 'ollama', model: 'plain', url } as const;
    const perspectives = [{ name: 'general', instruction: 'What' }];
    const slow = await WorkspaceTools.open(scratch.store, { settings: { embedding, perspectives } });
    expect(await slow.ok('get_stats')).toMatchObject({ embedding_coverage: 0 });
    const early = await slow.ok<ListOf<Match>>('search_nodes', { query: 'coffee' });
    expect(early.degraded).toBe(true);
    expect(early.warnings?.join()).toContain('No text has been embedded yet');
    expect(namesOf(early.results)).toEqual(['Kitchen']);
    released = true;
    for (const answer of held.splice(0)) answer();
    await expect
      .poll(async () => (await slow.ok<ListOf<Match>>('search_nodes', { query: 'coffee' })).warnings)
      .toBeUndefined();
    await slow.close();

    tools = await WorkspaceTools.open(scratch.store);
    await embedded();
    const [first] = await tools.list<Match>('search_nodes', { query: 'a hot drink in the morning' });
    expect(first?.name).toBe('Kitchen');
    const models = async () => (await vectors.spaces('default')).map(({ model }) => model);
    await expect.poll(models).toEqual([localEmbedder.id]);
  });

  test('without an embedder the answer comes from text and says so', async () => {
    const settings = { embedding: { provider: 'none' as const } };
    const plain = await WorkspaceTools.open(scratch.store, { settings });
    const answer = await plain.ok<ListOf<Match>>('search_nodes', { query: 'coffee' });
    expect(answer).toMatchObject({ degraded: true, results: [{ name: 'Kitchen' }] });
    expect(answer.warnings).toHaveLength(1);
    expect(await plain.ok('find_similar_nodes')).toMatchObject({ degraded: true, results: [] });
    expect(await plain.ok('get_stats')).toMatchObject({ embedding_coverage: 0 });
    await plain.close();
  });

  test('query_observations searches one node, and answers ordinals', async () => {
    const args = { entity_name: 'Deploys', query: 'release', mode: 'text' };
    const found = await tools.list<{ ordinal: number; content: string }>('query_observations', args);
    // What stands next to a match is found after it.
    expect(
      found
        .slice(0, 2)
        .map(({ ordinal }) => ordinal)
        .sort(),
    ).toEqual([1, 2]);
    expect(await tools.list('query_observations', { ...args, query: 'coffee' })).toEqual([]);
    await embedded();
    const meant = await tools.list<{ ordinal: number }>('query_observations', {
      entity_name: 'Kitchen',
      query: 'coffee and water',
    });
    expect(meant[0]?.ordinal).toBe(1);
    const text = await tools.error('query_observations', { entity_name: 'Nobody', query: 'x' });
    expect(text).toContain("Node 'Nobody' not found");
  });

  test('every node is found by its name, and the last page says if texts may be missing', async () => {
    const boats = Array.from({ length: 60 }, (_, at) => ({ name: `Kayak ${at}`, observations: [] }));
    await tools.create(...boats);
    const all = await tools.ok<ListOf<Match>>('search_nodes', { query: 'kayak', mode: 'text', limit: 100 });
    expect(namesOf(all.results)).toEqual(namesOf(boats));
    expect(all.warnings).toBeUndefined();
    await tools.create({
      name: 'Log',
      observations: Array.from({ length: 1_600 }, (_, at) => `Canoe ${at}`),
    });
    const plain = await WorkspaceTools.open(scratch.store, { settings: { embedding: { provider: 'none' } } });
    const warning = expect.stringContaining('Add a rarer word');
    for (const mode of ['text', 'embedding', 'hybrid']) {
      const { results, warnings } = await plain.ok<ListOf<Match>>('search_nodes', { query: 'canoe', mode });
      expect(namesOf(results)).toEqual(['Log']);
      expect(warnings).toEqual(mode === 'text' ? [warning] : [expect.any(String), warning]);
    }
    await plain.close();
  });

  test('a deleted observation is never found again', async () => {
    await embedded();
    await tools.ok('delete_observations', { deletions: [{ entity_name: 'Kitchen', ordinals: [1] }] });
    for (const mode of ['text', 'embedding', 'hybrid']) {
      const found = await tools.list<Match>('search_nodes', { query: 'coffee machine water', mode });
      expect(found.map(({ matched_observation }) => matched_observation)).not.toContain(
        'The coffee machine needs water',
      );
    }
  });

  test('find_similar_nodes answers pairs that no relation connects', async () => {
    await tools.create(
      { name: 'Brew', observations: ['The coffee machine needs water', 'Tea is in the cupboard'] },
      { name: 'Empty' },
    );
    await embedded();
    const similar = () => tools.list('find_similar_nodes', { min_score: 0.95 });
    expect(await similar()).toMatchObject([
      { node_a: 'Kitchen', node_b: 'Brew', node_a_type: 'thing', node_b_type: 'thing' },
    ]);
    const report = await tools.ok<{ relation_candidates: object[] }>('get_consolidation_report');
    expect(report.relation_candidates[0]).toMatchObject({
      node_a: 'Kitchen',
      node_b: 'Brew',
      rationale: null,
    });
    await tools.relate(['Brew', 'Kitchen', 'same_as']);
    expect(await similar()).toEqual([]);
  });

  test('refuses what is no query', async () => {
    for (const args of [
      {},
      { query: '' },
      { query: 'x', mode: 'magic' },
      { query: 'x', limit: 0 },
      { query: 'a\0' },
    ]) {
      expect(await tools.error('search_nodes', args)).not.toBe('');
    }
    expect(await tools.error('find_similar_nodes', { min_score: 2 })).toContain('min_score');
    expect(await tools.error('search_nodes', { query: 'x'.repeat(3_000) })).toContain('query');
  });
});
