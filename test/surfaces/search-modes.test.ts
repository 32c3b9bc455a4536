import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Graph } from '../../src/engine/graph.js';
import { defaultGraph } from '../../src/model/graph-record.js';
import type { SurfaceSettings } from '../../src/surfaces/surface.js';
import { modelServer } from '../helpers/model-server.js';
import { databaseKinds, jsonl, type Scratch, scratchStore } from '../helpers/stores.js';
import { SurfaceTools } from '../helpers/surface-tools.js';
import { requestContextOn, surfaceOn } from '../helpers/surfaces.js';

const texts: Readonly<Record<string, readonly string[]>> = {
  Rex: ['the dog chased a cat'],
  Loan: ['the bank charged interest on the loan'],
  Trip: ['the train to Lisbon was late', 'a dog slept in the train'],
};

/** How each surface says the same. */
const surfaces = {
  memory: {
    create: 'create_entities',
    args: {
      entities: Object.entries(texts).map(([name, observations]) => ({
        ...{ name, entityType: 'thing', observations },
      })),
    },
    nodes: (found: Record<string, unknown>) => found['entities'],
  },
  mesh: {
    create: 'add_nodes',
    args: {
      nodes: Object.entries(texts).map(([name, metadata]) => ({ name, nodeType: 'thing', metadata })),
    },
    nodes: (found: Record<string, unknown>) => (found['data'] as Record<string, unknown>)['nodes'],
  },
} as const;
const surfaceNames = ['memory', 'mesh'] as const;

let scratch: Scratch;

async function open(name: keyof typeof surfaces, settings: SurfaceSettings = {}) {
  const surface = await surfaceOn(name, { store: scratch.store, settings });
  const tools = new SurfaceTools(requestContextOn(surface, new Graph(scratch.store, defaultGraph)));
  const { create, args, nodes } = surfaces[name];
  await tools.ok(create, args);
  const search = async (given: Record<string, unknown>) => {
    const found = await tools.ok('search_nodes', name === 'mesh' ? { neighbors: false, ...given } : given);
    const names = (nodes(found) as { name: string }[]).map((node) => node.name);
    return { found, names, warnings: found['warnings'] };
  };
  return { tools, search, close: async () => surface.close?.() };
}

const cursorIn = (found: Record<string, unknown>) =>
  found['nextCursor'] ?? (found['data'] as Record<string, unknown> | undefined)?.['nextCursor'];

describe.each(databaseKinds)('the modes of search_nodes on $kind', (kind) => {
  beforeEach(async () => {
    scratch = await scratchStore(kind);
  });
  afterEach(() => scratch.dispose());

  describe.each(surfaceNames)('%s', (name) => {
    test('embedding finds a node by what it means, best first, right after it was written', async () => {
      const { search, close } = await open(name);
      const { names, warnings } = await search({ query: 'puppies and kittens', mode: 'embedding' });
      expect(names[0]).toBe('Rex');
      expect(names).toHaveLength(3);
      expect(warnings).toBeUndefined();
      await close();
    });

    test('hybrid finds by words and by meaning', async () => {
      const { search, close } = await open(name);
      const { names } = await search({ query: 'late train for puppies', mode: 'hybrid' });
      expect(names[0]).toBe('Trip');
      expect(names).toContain('Rex');
      await close();
    });

    test('text finds by any of the words, and ranked is its older name', async () => {
      const { search, close } = await open(name);
      for (const mode of ['text', 'ranked'])
        expect((await search({ query: 'lisbon dogs', mode })).names).toEqual(['Trip', 'Rex']);
      await close();
    });

    test('substring returns only what contains the query, without falling back to words', async () => {
      const { search, close } = await open(name);
      expect((await search({ query: 'lisbon dogs', mode: 'substring' })).names).toEqual([]);
      expect((await search({ query: 'lisbon dogs' })).names).toEqual(['Trip', 'Rex']);
      await close();
    });

    test('half of a surrogate pair is an error in every mode', async () => {
      const { tools, close } = await open(name);
      for (const mode of ['substring', 'text', 'embedding', 'hybrid'])
        expect(await tools.error('search_nodes', { query: '\ud800', mode }), mode).toContain(
          'The query contains half of a surrogate pair',
        );
      await close();
    });

    test('pages of a search by meaning return each node once, in the order of one long page', async () => {
      const { search, close } = await open(name);
      const query = { query: 'animals on a train', mode: 'hybrid' };
      const whole = await search(query);
      const names: string[] = [];
      for (let cursor: unknown; ; ) {
        const page = await search({ ...query, limit: 1, ...(cursor === undefined ? {} : { cursor }) });
        names.push(...page.names);
        cursor = cursorIn(page.found);
        if (cursor === undefined) break;
      }
      expect(names).toEqual(whole.names);
      await close();
    });

    test('a model that fails leaves the words, and warnings say so', async () => {
      const { url } = await modelServer((_, response) => response.writeHead(400).end());
      const { search, close } = await open(name, {
        embedding: { provider: 'openai', model: 'broken', url },
      });
      for (const mode of ['embedding', 'hybrid']) {
        const { names, warnings } = await search({ query: 'lisbon', mode });
        expect(names).toEqual(['Trip']);
        expect(warnings).toHaveLength(1);
      }
      await close();
    });
  });

  test('memory returns only entities of the given types', async () => {
    const { tools, search, close } = await open('memory');
    const entity = { name: 'Bella', entityType: 'dog', observations: ['a puppy'] };
    await tools.ok('create_entities', { entities: [entity] });
    for (const mode of ['embedding', 'hybrid', 'text'])
      expect((await search({ query: 'puppy', mode, entityTypes: ['dog'] })).names).toEqual(['Bella']);
    await close();
  });
});

describe('the modes of search_nodes on a JSON lines file', () => {
  beforeEach(async () => {
    scratch = await scratchStore(jsonl);
  });
  afterEach(() => scratch.dispose());

  test.each(surfaceNames)('%s searches by words and says why', async (name) => {
    const { search, close } = await open(name);
    for (const mode of ['embedding', 'hybrid']) {
      const { names, warnings } = await search({ query: 'lisbon', mode });
      expect(names).toEqual(['Trip']);
      expect(warnings).toEqual(['This store keeps no vectors. Search by meaning needs a database.']);
    }
    await close();
  });
});
