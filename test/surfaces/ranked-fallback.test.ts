import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Graph } from '../../src/engine/graph.js';
import { defaultGraph } from '../../src/model/graph-record.js';
import type { SurfaceSettings } from '../../src/surfaces/surface.js';
import { type Scratch, scratchStore, storeKinds } from '../helpers/stores.js';
import { SurfaceTools } from '../helpers/surface-tools.js';
import { requestContextOn, surfaceOn } from '../helpers/surfaces.js';

describe.each(storeKinds)('a search for words that no text contains as they are, on $kind', (kind) => {
  let scratch: Scratch;
  beforeEach(async () => {
    scratch = await scratchStore(kind);
  });
  afterEach(() => scratch.dispose());

  async function tools(surface: string, settings: SurfaceSettings = {}): Promise<SurfaceTools> {
    const opened = await surfaceOn(surface, { store: scratch.store, settings });
    return new SurfaceTools(requestContextOn(opened, new Graph(scratch.store, defaultGraph)));
  }

  describe('memory', () => {
    const entities = [
      { name: 'Ada', entityType: 'person', observations: ['Prefers short answers', 'Lives in Lisbon'] },
      { name: 'Bob', entityType: 'person', observations: ['Prefers long walks'] },
      { name: 'Tea', entityType: 'drink', observations: ['hot'] },
    ];
    async function memory(settings?: SurfaceSettings): Promise<SurfaceTools> {
      const opened = await tools('memory', settings);
      await opened.ok('create_entities', { entities });
      return opened;
    }
    const namesIn = ({ entities: found }: Record<string, unknown>) =>
      (found as { name: string }[]).map(({ name }) => name);

    test('finds entities with any of the words, best first, and says so', async () => {
      const found = await (await memory()).ok('search_nodes', { query: 'lisbon answer' });
      expect(found).toEqual({ entities: [entities[0]], relations: [], match: 'ranked' });
    });

    test('what contains the query comes alone and unmarked', async () => {
      const found = await (await memory()).ok('search_nodes', { query: 'prefers short' });
      expect(found).toEqual({ entities: [entities[0]], relations: [] });
    });

    test('a page leads to the next', async () => {
      const memories = await memory();
      const query = 'prefers nothing';
      const first = await memories.ok('search_nodes', { query, limit: 1 });
      expect(first).toMatchObject({ match: 'ranked', nextCursor: expect.any(String) });
      const second = await memories.ok('search_nodes', { query, limit: 1, cursor: first['nextCursor'] });
      expect(second).toMatchObject({ match: 'ranked' });
      expect(second).not.toHaveProperty('nextCursor');
      expect([...namesIn(first), ...namesIn(second)].sort()).toEqual(['Ada', 'Bob']);
    });

    test('only entities of the types asked for', async () => {
      const found = await (await memory()).ok('search_nodes', {
        query: 'hot answers',
        entityTypes: ['drink'],
      });
      expect(namesIn(found)).toEqual(['Tea']);
    });

    test.each([
      ['one word', { query: 'lisbonne' }],
      ['an identifier', { query: 'short-answers/7' }],
      ['words that occur nowhere', { query: 'zebra xylophone' }],
      ['one word twice', { query: 'answers, answer' }],
      ['mode substring', { query: 'lisbon answer', mode: 'substring' }],
    ])('%s finds nothing, unmarked', async (_, args) => {
      expect(await (await memory()).ok('search_nodes', args)).toEqual({ entities: [], relations: [] });
    });

    test('the bare behaviour of the specification can be restored', async () => {
      const memories = await memory({ searchFallback: 'none' });
      expect(await memories.ok('search_nodes', { query: 'lisbon answer' })).toEqual({
        entities: [],
        relations: [],
      });
    });
  });

  describe('mesh', () => {
    const nodes = [
      { name: 'Gandalf', nodeType: 'npc', metadata: ['Role: Wizard'] },
      { name: 'Bree', nodeType: 'place', metadata: ['Mood: merry'] },
    ];
    const edge = { from: 'Gandalf', to: 'Bree', edgeType: 'visits', weight: 1 };
    async function mesh(settings?: SurfaceSettings): Promise<SurfaceTools> {
      const opened = await tools('mesh', settings);
      await opened.ok('add_nodes', { nodes });
      await opened.ok('add_edges', { edges: [edge] });
      return opened;
    }

    test('finds nodes with any of the words, with their neighbours, and says so', async () => {
      const found = await (await mesh()).ok('search_nodes', { query: 'wizard of oz' });
      expect(found).toMatchObject({
        data: { nodes, edges: [edge], match: 'ranked' },
        actionTaken: 'Searched nodes with query: "wizard of oz" - found 1 nodes',
      });
    });

    test('without neighbours, only the matches', async () => {
      const found = await (await mesh()).ok('search_nodes', { query: 'wizard of oz', neighbors: false });
      expect(found['data']).toEqual({ nodes: [nodes[0]], edges: [], match: 'ranked' });
    });

    test('a page leads to the next', async () => {
      const memories = await mesh();
      const request = { query: 'wizard merry', limit: 1, neighbors: false };
      const first = (await memories.ok('search_nodes', request))['data'];
      expect(first).toMatchObject({ match: 'ranked', nextCursor: expect.any(String) });
      const { nextCursor } = first as { nextCursor: string };
      const second = (await memories.ok('search_nodes', { ...request, cursor: nextCursor }))['data'];
      expect(second).toMatchObject({ match: 'ranked' });
      expect(second).not.toMatchObject({ nodes: (first as { nodes: unknown }).nodes });
    });

    test('the bare behaviour can be restored', async () => {
      const found = await (await mesh({ searchFallback: 'none' })).ok('search_nodes', {
        query: 'wizard of oz',
      });
      expect(found['data']).toEqual({ nodes: [], edges: [] });
    });
  });
});
