import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { databaseKinds, type Scratch, scratchStore } from '../helpers/stores.js';
import { namesOf, WorkspaceTools } from '../helpers/workspace-tools.js';

const dayMs = 86_400_000;

interface Entity {
  name: string;
  entity_type: string;
  summary: string | null;
  tags: string[];
  observations: { ordinal: number; content: string }[];
  created_at: string;
  updated_at: string;
}

interface Opened {
  entities: Entity[];
  relations: { from: string; to: string; relation_type: string }[];
  not_found: string[];
}

describe.each(databaseKinds)('nodes of a workspace on $kind', (kind) => {
  let scratch: Scratch;
  let tools: WorkspaceTools;
  beforeEach(async () => {
    scratch = await scratchStore(kind);
    tools = await WorkspaceTools.open(scratch.store);
  });
  afterEach(async () => {
    await tools.close();
    await scratch.dispose();
  });

  const open = async (...names: string[]) => tools.ok<Opened>('open_nodes', { names });
  const commits = async () => (await scratch.store.commits({ graph: 'default' })).length;

  describe('create_entities', () => {
    test('trust 10: a misspelt field refuses the call, which would lose the fact', async () => {
      const stray = { name: 'T', entity_type: 't', observation: ['a fact'] };
      expect(await tools.error('create_entities', { entities: [stray] })).toContain(
        'entities[0] has no field "observation" (did you mean observations?)',
      );
      expect(await tools.ok('get_stats')).toMatchObject({ node_count: 0 });
    });

    test('trust 8: null for every optional argument is as if they were left out', async () => {
      const nothing = { observations: null, summary: null, tags: null };
      const entities = [{ name: 'T', entity_type: 't', ...nothing }];
      await tools.list('create_entities', { entities, on_conflict: null });
      expect(await tools.ok('get_stats', { random_string: 'x' })).toMatchObject({ node_count: 1 });
    });

    test('creates nodes with observations in order, summary and tags', async () => {
      const created = await tools.list('create_entities', {
        entities: [
          {
            name: 'Ada',
            entity_type: 'person',
            observations: ['wrote programs', 'wrote letters', 'wrote programs'],
            summary: 'A mathematician.',
            tags: ['history', 'maths', 'history'],
          },
          { name: 'Engine', entity_type: 'machine' },
        ],
      });
      expect(created).toMatchObject([
        { name: 'Ada', entity_type: 'person' },
        { name: 'Engine', entity_type: 'machine' },
      ]);
      const { entities } = await open('Ada', 'Engine');
      expect(entities).toMatchObject([
        {
          name: 'Ada',
          summary: 'A mathematician.',
          tags: ['history', 'maths'],
          observations: [
            { ordinal: 1, content: 'wrote programs' },
            { ordinal: 2, content: 'wrote letters' },
            { ordinal: 3, content: 'wrote programs' },
          ],
        },
        { name: 'Engine', summary: null, tags: [], observations: [] },
      ]);
      expect(entities[0]?.created_at).toBe(entities[0]?.updated_at);
    });

    test('no entities are no error and no commit', async () => {
      expect(await tools.list('create_entities', { entities: [] })).toEqual([]);
      expect(await commits()).toBe(0);
    });

    test('a name that exists refuses the whole call', async () => {
      await tools.create({ name: 'Ada' });
      const text = await tools.error('create_entities', {
        entities: [
          { name: 'New', entity_type: 'thing' },
          { name: 'Ada', entity_type: 'thing' },
        ],
      });
      expect(text).toMatch(/^Entity already exists: Ada\. .*on_conflict/);
      expect((await open('New')).not_found).toEqual(['New']);
    });

    test('a name that comes twice refuses the whole call', async () => {
      const twice = [1, 2].map(() => ({ name: 'Ada', entity_type: 'thing' }));
      expect(await tools.error('create_entities', { entities: twice })).toContain('Ada');
      expect(await commits()).toBe(0);
    });

    test('on_conflict append adds observations and tags, and replaces the summary', async () => {
      await tools.create({
        name: 'Ada',
        entity_type: 'person',
        observations: ['one'],
        tags: ['a'],
        summary: 'Old.',
      });
      const { results, warnings } = await tools.ok<{ results: object[]; warnings: string[] }>(
        'create_entities',
        {
          entities: [
            {
              name: 'Ada',
              entity_type: 'robot',
              observations: ['one', 'two'],
              tags: ['b', 'a'],
              summary: 'New.',
            },
            { name: 'Bob', entity_type: 'person' },
          ],
          on_conflict: 'append',
        },
      );
      expect(results).toMatchObject([{ name: 'Ada', entity_type: 'person' }, { name: 'Bob' }]);
      expect(warnings).toEqual(['Already existed; observations were appended: Ada.']);
      expect((await open('Ada')).entities[0]).toMatchObject({
        summary: 'New.',
        tags: ['a', 'b'],
        observations: [{ content: 'one' }, { content: 'one' }, { content: 'two' }],
      });
    });

    test('on_conflict skip leaves what exists as it is', async () => {
      await tools.create({ name: 'Ada', observations: ['one'] });
      const { results, warnings } = await tools.ok<{ results: object[]; warnings: string[] }>(
        'create_entities',
        {
          entities: [
            { name: 'Ada', entity_type: 'x', observations: ['two'] },
            { name: 'Bob', entity_type: 'x' },
          ],
          on_conflict: 'skip',
        },
      );
      expect(results).toMatchObject([{ name: 'Bob' }]);
      expect(warnings).toEqual(['Already existed; left unchanged: Ada.']);
      expect((await open('Ada')).entities[0]?.observations).toHaveLength(1);
    });

    test.each([
      [{ entities: [{ name: '', entity_type: 'x' }] }, 'entities[0].name'],
      [{ entities: [{ name: 'x' }] }, 'entities[0].entity_type is missing'],
      [{ entities: [{ name: 'x', entity_type: 'y', observations: 'no list' }] }, 'entities[0].observations'],
      [{ entities: [{ name: 'x', entity_type: 'y', tags: [''] }] }, 'tags'],
      [{ entities: [{ name: 'x', entity_type: 'y' }], on_conflict: 'merge' }, 'on_conflict'],
      [{}, 'entities is missing'],
      [{ entities: [{ name: 'a\0b', entity_type: 'x' }] }, 'NUL'],
      [{ entities: [{ name: 'x', entity_type: 'y', summary: '\ud800' }] }, 'surrogate'],
    ])('refuses %j', async (args, reason) => {
      expect(await tools.error('create_entities', args)).toContain(reason);
      expect(await commits()).toBe(0);
    });

    test('names that mean something to JavaScript are names like others', async () => {
      const names = ['__proto__', 'constructor', 'toString'];
      await tools.create(...names.map((name) => ({ name, observations: [name] })));
      expect(namesOf((await open(...names)).entities)).toEqual(names);
    });
  });

  test('open_nodes answers relations of either end, and names what is not there', async () => {
    await tools.create({ name: 'A' }, { name: 'B' }, { name: 'C' });
    await tools.relate(['A', 'B'], ['C', 'A', 'likes'], ['B', 'C']);
    const { entities, relations, not_found } = await open('A', 'Nobody', 'A');
    expect(namesOf(entities)).toEqual(['A']);
    expect(relations).toEqual([
      { from: 'A', to: 'B', relation_type: 'knows' },
      { from: 'C', to: 'A', relation_type: 'likes' },
    ]);
    expect(not_found).toEqual(['Nobody']);
    expect(await open()).toEqual({ entities: [], relations: [], not_found: [] });
    expect(await tools.error('open_nodes', { names: 'A' })).toContain('names');
  });

  test('open_nodes shows a property that was written with a schema at ordinal 0', async () => {
    await scratch.store.write({ graph: 'default' }, { actor: 'a', tool: 't' }, async (rows) => {
      const [identity] = await rows.addIdentities([{ type: 'task', name: 'T' }]);
      await rows.putNodes([{ id: identity?.node ?? 0, type: 'task', name: 'T', props: { status: 'open' } }]);
    });
    expect((await open('T')).entities[0]?.observations).toEqual([{ ordinal: 0, content: 'status: open' }]);
    const text = await tools.error('replace_observation', { entity_name: 'T', ordinal: 0, new_content: 'x' });
    expect(text).toContain("Observation at ordinal 0 not found on 'T'");
  });

  test('delete_entities deletes nodes with their observations and relations, and names what is not there', async () => {
    await tools.create({ name: 'A', observations: ['x'] }, { name: 'B' });
    await tools.relate(['A', 'B']);
    expect(await tools.ok('delete_entities', { entity_names: ['A', 'Nobody', 'A'] })).toEqual({
      deleted: ['A'],
      not_found: ['Nobody'],
    });
    expect(await open('A', 'B')).toMatchObject({ relations: [], not_found: ['A'] });
    expect(await tools.ok('delete_entities', { entity_names: [] })).toEqual({ deleted: [], not_found: [] });
    expect(await tools.error('delete_entities', {})).toContain('entity_names is missing');
  });

  test('get_nodes_by_type lists the nodes of a type in creation order, in pages', async () => {
    const made = Array.from({ length: 7 }, (_, index) => ({
      name: `n${index}`,
      entity_type: index % 2 ? 'odd' : 'even',
    }));
    await tools.create(...made);
    await tools.ok('set_tags', { name: 'n3', tags: ['t'] });
    const odd = await tools.list<Entity>('get_nodes_by_type', { entity_type: 'odd' });
    expect(odd).toMatchObject([
      { name: 'n1', entity_type: 'odd', summary: null, tags: [] },
      { name: 'n3', tags: ['t'] },
      { name: 'n5' },
    ]);
    const args = { entity_type: 'even' };
    expect(namesOf(await tools.pages<Entity>('get_nodes_by_type', args, 2))).toEqual([
      'n0',
      'n2',
      'n4',
      'n6',
    ]);
    expect(await tools.list('get_nodes_by_type', { entity_type: 'Odd' })).toEqual([]);
    expect(await tools.error('get_nodes_by_type', {})).toContain('entity_type is missing');
    expect(await tools.error('get_nodes_by_type', { ...args, cursor: 'made up' })).toContain('cursor');
  });

  describe('get_recently_modified', () => {
    test('lists what changed, the latest first, once each', async () => {
      for (const name of ['A', 'B', 'C']) await tools.create({ name });
      await tools.ok('add_observations', { observations: [{ entity_name: 'A', contents: ['x'] }] });
      await tools.ok('delete_entities', { entity_names: ['B'] });
      const recent = await tools.list<Entity>('get_recently_modified');
      expect(namesOf(recent)).toEqual(['A', 'C']);
      expect((recent[0]?.updated_at ?? '') >= (recent[1]?.updated_at ?? '')).toBe(true);
    });

    test('takes limit, and pages through the rest without repeating', async () => {
      await tools.create(...Array.from({ length: 25 }, (_, index) => ({ name: `n${index}` })));
      await tools.ok('set_summary', { name: 'n7', summary: 's' });
      await tools.ok('set_summary', { name: 'n3', summary: 's' });
      expect(await tools.list('get_recently_modified')).toHaveLength(20);
      const all = namesOf(await tools.pages<Entity>('get_recently_modified', {}, 4));
      expect(all.slice(0, 2)).toEqual(['n3', 'n7']);
      expect(new Set(all).size).toBe(25);
      expect(all).toHaveLength(25);
    });

    test('leaves out what changed earlier', async () => {
      await tools.create({ name: 'A' });
      const later = await WorkspaceTools.open(scratch.store, { clock: () => Date.now() + 8 * dayMs });
      expect(await later.list('get_recently_modified')).toEqual([]);
      expect(namesOf(await later.list('get_recently_modified', { days: 9 }))).toEqual(['A']);
      await later.close();
    });

    test('an empty workspace, and bad input', async () => {
      expect(await tools.list('get_recently_modified')).toEqual([]);
      for (const args of [{ days: 0 }, { days: 1.5 }, { limit: 0 }, { cursor: 'x' }]) {
        expect(await tools.error('get_recently_modified', args)).not.toBe('');
      }
    });
  });

  test('set_summary sets and replaces, and touches nothing else', async () => {
    await tools.create({ name: 'A', observations: ['x'], tags: ['t'] });
    const set = await tools.ok<Entity>('set_summary', { name: 'A', summary: 'First.' });
    expect(set).toEqual({ name: 'A', summary: 'First.', updated_at: expect.any(String) });
    await tools.ok('set_summary', { name: 'A', summary: 'Second.' });
    expect((await open('A')).entities[0]).toMatchObject({
      summary: 'Second.',
      tags: ['t'],
      observations: [{ ordinal: 1, content: 'x' }],
    });
    expect(await tools.error('set_summary', { name: 'Nobody', summary: 's' })).toContain(
      "Node 'Nobody' not found",
    );
    expect(await tools.error('set_summary', { name: 'A' })).toContain('summary is missing');
    expect(await tools.error('set_summary', { name: 'A', summary: 'a\0' })).toContain('NUL');
  });

  test('set_tags replaces the tags, each once', async () => {
    await tools.create({ name: 'A', tags: ['old'] });
    expect(await tools.ok('set_tags', { name: 'A', tags: ['b', 'a', 'b'] })).toEqual({
      name: 'A',
      tags: ['b', 'a'],
    });
    const before = await commits();
    await tools.ok('set_tags', { name: 'A', tags: ['b', 'a'] });
    expect(await commits()).toBe(before);
    await tools.ok('set_tags', { name: 'A', tags: [] });
    expect((await open('A')).entities[0]?.tags).toEqual([]);
    expect(await tools.error('set_tags', { name: 'Nobody', tags: [] })).toContain("Node 'Nobody' not found");
    expect(await tools.error('set_tags', { name: 'A', tags: [1] })).toContain('tags[0]');
  });
});

test('a file of JSON lines is refused, and the way out is named', async () => {
  const scratch = await scratchStore({
    kind: 'jsonl',
    place: async () => {
      const { mkdtemp, rm } = await import('node:fs/promises');
      const folder = await mkdtemp('/tmp/trellis-test-');
      return { path: `${folder}/memory.jsonl`, remove: () => rm(folder, { recursive: true, force: true }) };
    },
  });
  await expect(WorkspaceTools.open(scratch.store)).rejects.toMatchObject({
    code: 'CAPABILITY_MISSING',
    hint: expect.stringContaining('trellis import'),
  });
  await scratch.dispose();
});
