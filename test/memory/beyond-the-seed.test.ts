import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { limits } from '../../src/model/limits.js';
import type { MemoryRelation } from '../../src/surfaces/memory/memory-shapes.js';
import { entity, type GraphAnswer, MemoryTools, namesOf, relation } from '../helpers/memory-tools.js';
import { type Scratch, scratchStore, storeKinds } from '../helpers/stores.js';

describe.each(storeKinds)('the memory tools on $kind', (kind) => {
  let scratch: Scratch;
  let tools: MemoryTools;

  beforeEach(async () => {
    scratch = await scratchStore(kind);
    tools = new MemoryTools(scratch.store);
  });
  afterEach(() => scratch.dispose());

  describe('text beside the structured answer', () => {
    test('created entities are an array, indented by two', async () => {
      const { content } = await tools.call('create_entities', { entities: [entity('A', ['x'])] });
      expect(content).toEqual([{ type: 'text', text: JSON.stringify([entity('A', ['x'])], null, 2) }]);
    });

    test('a second block names what was skipped and what to do', async () => {
      await tools.createEntities(entity('A'));
      const { content, structuredContent } = await tools.call('create_entities', {
        entities: [entity('A'), entity('B'), entity('B')],
      });
      expect(structuredContent).toEqual({ entities: [entity('B')], skipped: ['A', 'B'] });
      expect(content.map(({ text }) => text)).toEqual([
        JSON.stringify([entity('B')], null, 2),
        'Skipped, because they already exist: A, B. Use add_observations for them.',
      ]);
    });

    test('created relations and added observations are arrays', async () => {
      await tools.createEntities(entity('A'));
      const created = await tools.call('create_relations', { relations: [relation('A', 'A')] });
      expect(created.content[0]?.text).toBe(JSON.stringify([relation('A', 'A')], null, 2));
      const added = await tools.call('add_observations', {
        observations: [{ entityName: 'A', contents: ['x', 'x'] }],
      });
      const results = [{ entityName: 'A', addedObservations: ['x'] }];
      expect(added.content[0]?.text).toBe(JSON.stringify(results, null, 2));
    });

    test('a graph is the same JSON as the structured answer', async () => {
      await tools.createEntities(entity('A', ['x']));
      for (const [name, args] of [
        ['read_graph', {}],
        ['search_nodes', { query: 'a' }],
        ['open_nodes', { names: ['A'] }],
      ] as const) {
        const { content, structuredContent } = await tools.call(name, args);
        expect(content.map(({ text }) => text)).toEqual([JSON.stringify(structuredContent, null, 2)]);
      }
    });
  });

  describe('what a delete says', () => {
    beforeEach(async () => {
      await tools.createEntities(entity('A', ['one', 'two']), entity('B'));
      await tools.createRelations(relation('A', 'B'));
    });

    async function messageOf(name: string, args: unknown): Promise<string> {
      const { content, structuredContent } = await tools.call(name, args);
      expect(structuredContent).toEqual({ success: true, message: content[0]?.text });
      return content[0]?.text ?? '';
    }

    test('everything asked for was there', async () => {
      const deletions = [{ entityName: 'A', observations: ['one'] }];
      expect(await messageOf('delete_observations', { deletions })).toBe('Observations deleted successfully');
      expect(await messageOf('delete_relations', { relations: [relation('A', 'B')] })).toBe(
        'Relations deleted successfully',
      );
      expect(await messageOf('delete_entities', { entityNames: ['A', 'B'] })).toBe(
        'Entities deleted successfully',
      );
    });

    test('some entities were not found', async () => {
      expect(await messageOf('delete_entities', { entityNames: ['A', 'Zed'] })).toBe(
        'Deleted 1 of 2 entities. Not found: Zed',
      );
    });

    test('some observations were not found', async () => {
      const deletions = [
        { entityName: 'A', observations: ['one', 'three'] },
        { entityName: 'X', observations: ['one'] },
      ];
      expect(await messageOf('delete_observations', { deletions })).toBe(
        'Deleted 1 of 3 observations. Entities not found: X',
      );
      expect(await messageOf('delete_observations', { deletions: [deletions[0]] })).toBe(
        'Deleted 0 of 2 observations. The rest matched nothing.',
      );
    });

    test('some relations were not found', async () => {
      expect(
        await messageOf('delete_relations', { relations: [relation('A', 'B'), relation('B', 'A')] }),
      ).toBe('Deleted 1 of 2 relations. The rest matched nothing.');
    });

    test('a long list of names is cut', async () => {
      const entityNames = Array.from({ length: 60 }, (_, index) => `missing ${index}`);
      expect(await messageOf('delete_entities', { entityNames })).toMatch(/missing 49 and 10 more$/);
    });
  });

  describe('all or nothing', () => {
    test('an unknown entity saves nothing of the call, not even earlier items', async () => {
      await tools.createEntities(entity('A'));
      const observations = [
        { entityName: 'A', contents: ['new'] },
        { entityName: 'Nobody', contents: ['new'] },
      ];
      expect(await tools.error('add_observations', { observations })).toBe(
        'Entity with name Nobody not found',
      );
      expect((await tools.open('A')).entities).toEqual([entity('A')]);
    });

    test('one bad string in a batch saves nothing of it', async () => {
      expect(
        await tools.error('create_entities', { entities: [entity('A'), entity('B', ['a\0b'])] }),
      ).toMatch(/NUL character/);
      expect(await tools.error('create_entities', { entities: [entity('A\ud800')] })).toMatch(/surrogate/);
      expect(await tools.readGraph()).toEqual({ entities: [], relations: [] });
    });
  });

  describe('relations to names that are no entities', () => {
    test('are kept, and the names are not listed', async () => {
      await tools.createRelations(relation('ghost', 'other ghost'), relation('ghost', 'ghost'));
      expect(await tools.readGraph()).toEqual({
        entities: [],
        relations: [relation('ghost', 'other ghost'), relation('ghost', 'ghost')],
      });
      expect(await tools.search('')).toEqual({ entities: [], relations: [] });
      expect(await tools.open('ghost')).toEqual({ entities: [], relations: [] });
      expect(
        await tools.error('add_observations', { observations: [{ entityName: 'ghost', contents: ['x'] }] }),
      ).toBe('Entity with name ghost not found');
    });

    test('belong to the entity once it is created', async () => {
      await tools.createRelations(relation('A', 'late'));
      expect(await tools.createEntities(entity('late'))).toEqual([entity('late')]);
      expect(await tools.open('late')).toEqual({
        entities: [entity('late')],
        relations: [relation('A', 'late')],
      });
    });
  });

  describe('names that mean something to JavaScript', () => {
    const names = ['__proto__', 'constructor', 'toString', 'hasOwnProperty'];

    test('are names like any other', async () => {
      const entities = names.map((name) => entity(name, [`about ${name}`], '__proto__'));
      expect(await tools.createEntities(...entities)).toEqual(entities);
      await tools.createRelations(relation('__proto__', 'constructor', '__proto__'));
      tools = new MemoryTools(await scratch.reopen());
      expect((await tools.readGraph()).entities).toEqual(entities);
      expect((await tools.open('__proto__')).relations).toEqual([
        relation('__proto__', 'constructor', '__proto__'),
      ]);
      expect(namesOf(await tools.search('about __proto__'))).toEqual(['__proto__']);
      expect(await tools.ok('delete_entities', { entityNames: names })).toMatchObject({
        message: 'Entities deleted successfully',
      });
    });
  });

  describe('pages', () => {
    const count = 23;

    beforeEach(async () => {
      const entities = Array.from({ length: count }, (_, i) =>
        entity(`node ${i}`, [`common ${i}`], `type ${i % 2}`),
      );
      await tools.createEntities(...entities);
      await tools.createRelations(
        ...entities.slice(1).map(({ name }) => relation('node 0', name)),
        relation('ghost', 'ghost'),
      );
    });

    async function everyPage(
      read: (page: object) => Promise<GraphAnswer>,
      limit: number,
    ): Promise<GraphAnswer[]> {
      const pages: GraphAnswer[] = [];
      let cursor: string | undefined;
      do {
        const page = await read({ limit, ...(cursor === undefined ? {} : { cursor }) });
        expect(page.entities.length).toBeLessThanOrEqual(limit);
        pages.push(page);
        cursor = page.nextCursor;
      } while (cursor !== undefined);
      return pages;
    }

    test.each([1, 5, 22, 23, 24])(
      'of %i cover every entity exactly once and every relation',
      async (limit) => {
        const whole = await tools.readGraph();
        const pages = await everyPage((page) => tools.readGraph(page), limit);
        expect(pages.flatMap(namesOf)).toEqual(namesOf(whole));
        const seen = new Set(pages.flatMap(({ relations }) => relations.map(keyOf)));
        expect(seen).toEqual(new Set(whole.relations.map(keyOf)));
      },
    );

    test.each(['substring', 'ranked'])('of a %s search cover every hit exactly once', async (mode) => {
      const pages = await everyPage((page) => tools.search('common', { mode, ...page }), 5);
      const found = pages.flatMap(namesOf);
      expect(found).toHaveLength(count);
      expect(new Set(found).size).toBe(count);
    });

    test('can be of some types only', async () => {
      const expected = Array.from({ length: count }, (_, i) => `node ${i}`).filter((_, i) => i % 2 === 1);
      expect(namesOf(await tools.readGraph({ entityTypes: ['type 1'] }))).toEqual(expected);
      expect(namesOf(await tools.search('common', { entityTypes: ['type 1'] }))).toEqual(expected);
      const pages = await everyPage((page) => tools.readGraph({ entityTypes: ['type 1'], ...page }), 4);
      expect(pages.flatMap(namesOf)).toEqual(expected);
      expect(await tools.readGraph({ entityTypes: [] })).toEqual({ entities: [], relations: [] });
    });

    test('a cursor outlives the server, or is refused', async () => {
      const { nextCursor, ...first } = await tools.readGraph({ limit: 3 });
      const again = new MemoryTools(await scratch.reopen());
      const next = await again.call('read_graph', { cursor: nextCursor });
      if (scratch.store.kind === 'jsonl') {
        expect(next).toMatchObject({
          isError: true,
          content: [{ text: expect.stringContaining('start again') }],
        });
      } else {
        const rest = await again.readGraph({ cursor: nextCursor });
        expect([...namesOf(first), ...namesOf(rest)]).toEqual(namesOf(await again.readGraph()));
      }
    });

    test('a cursor that was made up is refused', async () => {
      expect(await tools.error('read_graph', { cursor: 'nonsense' })).toMatch(
        /^The cursor was not issued .* omit cursor/,
      );
    });
  });

  describe('ranked search', () => {
    beforeEach(() =>
      tools.createEntities(
        entity('Ada', ['Enjoys hiking in the mountains', 'Lives in Oslo']),
        entity('Ben', ['Hiked once', 'Enjoys mountain hikes near Oslo']),
        entity('Cleo', ['Plays the piano']),
      ),
    );

    test('finds words in any order and form', async () => {
      expect(namesOf(await tools.search('mountain hiking', { mode: 'ranked' })).sort()).toEqual([
        'Ada',
        'Ben',
      ]);
      expect(namesOf(await tools.search('mountain hiking', { mode: 'substring' }))).toEqual([]);
    });

    test('finds the few of a type among the many that share a word', async () => {
      const many = Array.from({ length: 1_600 }, (_, index) =>
        entity(`note ${index}`, ['about the harbour']),
      );
      await tools.createEntities(...many, {
        ...entity('Apollo', ['landed in the harbour']),
        entityType: 'mission',
      });
      const found = await tools.search('harbour', { mode: 'ranked', entityTypes: ['mission'] });
      expect(namesOf(found)).toEqual(['Apollo']);
    });

    test('finds every entity by its name, and says on the last page if some may be missing', async () => {
      const boats = Array.from({ length: 60 }, (_, index) => entity(`kayak ${index}`));
      await tools.createEntities(...boats);
      const found = await tools.search('kayak', { mode: 'ranked', limit: 1_000 });
      expect(namesOf(found)).toEqual(boats.map(({ name }) => name));
      expect(found).not.toHaveProperty('warnings');
      const more = Array.from({ length: 1_600 }, (_, index) => entity(`canoe ${index}`));
      await tools.createEntities(...more);
      const first = await tools.search('canoe', { mode: 'ranked' });
      expect(first).toMatchObject({ nextCursor: expect.any(String) });
      expect(first).not.toHaveProperty('warnings');
      const all = await tools.search('canoe', { mode: 'ranked', limit: 10_000 });
      expect(all.entities.length).toBeGreaterThanOrEqual(1_500);
      expect(all).toMatchObject({ warnings: [expect.stringContaining('Add a rarer word')] });
    });

    test('puts the best first', async () => {
      expect(namesOf(await tools.search('pianos Oslo', { mode: 'ranked' }))[0]).toBe('Cleo');
    });
  });

  describe('substring search', () => {
    test('of the empty query matches everything', async () => {
      await tools.createEntities(entity('A'), entity('B'));
      expect(namesOf(await tools.search(''))).toEqual(['A', 'B']);
    });

    test.each(['substring', 'ranked'])('refuses what can be in no text (%s)', async (mode) => {
      expect(await tools.error('search_nodes', { query: 'abc\0def', mode })).toContain('NUL');
      expect(await tools.error('search_nodes', { query: 'abc\ud800def', mode })).toContain('surrogate');
    });

    test('takes wildcards and quotes as they are', async () => {
      await tools.createEntities(entity('100%'), entity('100 percent'), entity(`it's "quoted"`));
      expect(namesOf(await tools.search('0%'))).toEqual(['100%']);
      expect(namesOf(await tools.search(`'s "q`))).toEqual([`it's "quoted"`]);
      expect(namesOf(await tools.search('_'))).toEqual([]);
    });

    test('works below three characters and beyond ASCII', async () => {
      await tools.createEntities(entity('ÅSE'), entity('Bo'));
      expect(namesOf(await tools.search('åse'))).toEqual(['ÅSE']);
      expect(namesOf(await tools.search('b'))).toEqual(['Bo']);
    });
  });

  describe('arguments that do not fit', () => {
    test.each([
      ['create_entities', {}, /entities is missing \(array expected\)/],
      ['create_entities', undefined, /entities is missing/],
      ['create_entities', { entities: 'A' }, /entities: expected array, received string/],
      [
        'create_entities',
        { entities: [{ name: 'A', entityType: 't' }] },
        /entities\[0\]\.observations is missing/,
      ],
      ['create_entities', { entities: [entity('A'), entity('')] }, /entities\[1\]\.name must not be empty/],
      [
        'add_observations',
        { observations: [{ entityName: 7, contents: [] }] },
        /observations\[0\]\.entityName: expected string/,
      ],
      ['search_nodes', { query: 'a', mode: 'fuzzy' }, /mode: .*"substring"\|"text"\|"embedding"\|"hybrid"/],
      ['search_nodes', { query: 'a'.repeat(limits.queryLength + 1) }, /query: .*2048/],
      ['read_graph', { limit: 0 }, /limit: .*>=1/],
      ['read_graph', { limit: 1.5 }, /limit: expected int/],
      ['read_graph', { limit: limits.batchItems + 1 }, /limit: .*10000/],
      ['open_nodes', { names: Array(limits.batchItems + 1).fill('x') }, /names: .*10000/],
      [
        'create_entities',
        { entities: [entity('x'.repeat(limits.nameLength + 1))] },
        /entities\[0\]\.name: .*4096/,
      ],
    ])('%s says which and what is allowed (%#)', async (name, args, message) => {
      const text = await tools.error(name, args);
      expect(text).toMatch(message);
      expect(text).toMatch(/Nothing was done/);
    });

    test('at most five faults are listed', async () => {
      const text = await tools.error('open_nodes', { names: [1, 2, 3, 4, 5, 6, 7] });
      expect(text).toMatch(/names\[4\].*And 2 more\./);
      expect(text).not.toMatch(/names\[5\]/);
    });

    test('trust 10: a misspelt field refuses the call, which would lose the fact', async () => {
      const stray = { entities: [{ ...entity('A', [], 't'), observation: ['a fact'] }] };
      expect(await tools.error('create_entities', stray)).toContain(
        'entities[0] has no field "observation" (did you mean observations?)',
      );
      expect(await tools.ok('read_graph')).toEqual({ entities: [], relations: [] });
    });

    test('trust 8: null and an empty cursor are as if left out', async () => {
      await tools.createEntities(entity('A'));
      const everything = await tools.ok('read_graph');
      const nothing = { limit: null, cursor: null, entityTypes: null };
      expect(await tools.ok('read_graph', nothing)).toEqual(everything);
      expect(await tools.ok('read_graph', { cursor: '' })).toEqual(everything);
      expect(await tools.ok('search_nodes', { query: 'a', mode: null, ...nothing })).toEqual(everything);
    });

    test('an argument named __proto__ is refused, and nothing is done', async () => {
      const stray = JSON.parse(
        '{"entities":[{"name":"A","entityType":"t","observations":[],"__proto__":{"x":1}}]}',
      );
      expect(await tools.error('create_entities', stray)).toMatch(/__proto__ is not allowed as a name/);
      expect(await tools.ok('read_graph')).toEqual({ entities: [], relations: [] });
    });

    test('very deep JSON is an error, not a crash', async () => {
      const deep = JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`);
      expect(await tools.error('open_nodes', { names: deep })).toMatch(
        /names\[0\]: expected string, received array/,
      );
    });
  });

  test('trust 27: an unknown tool is a protocol error that names it, whatever its name', async () => {
    for (const name of ['nope', '__proto__', 'constructor', '']) {
      await expect(tools.call(name, {})).rejects.toMatchObject({
        code: 'UNKNOWN_TOOL',
        message: `unknown tool ${JSON.stringify(name)}`,
      });
    }
  });

  test('twenty calls in flight all do what they say', async () => {
    await tools.createEntities(entity('shared'));
    const texts = Array.from({ length: 20 }, (_, index) => `fact ${index}`);
    await Promise.all(
      texts.map((text) =>
        tools.ok('add_observations', { observations: [{ entityName: 'shared', contents: [text] }] }),
      ),
    );
    const [shared] = (await tools.open('shared')).entities;
    expect(new Set(shared?.observations)).toEqual(new Set(texts));
  });
});

function keyOf({ from, to, relationType }: MemoryRelation): string {
  return JSON.stringify([from, relationType, to]);
}
