import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { databaseKinds, type Scratch, scratchStore } from '../helpers/stores.js';
import { type ListOf, namesOf, WorkspaceTools } from '../helpers/workspace-tools.js';

describe.each(databaseKinds)('trust 19: small promises of the workspace tools, on $kind', (kind) => {
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

  const updatedAt = async (name: string) => {
    const { entities } = await tools.ok<{ entities: { updated_at: string }[] }>('open_nodes', {
      names: [name],
    });
    return entities[0]?.updated_at ?? '';
  };
  const later = () => new Promise((resolve) => setTimeout(resolve, 5));

  test('updated_at of both ends moves when a relation is made, changed or deleted', async () => {
    await tools.create({ name: 'a' }, { name: 'b' }, { name: 'c' });
    const relation = { from_entity: 'a', to_entity: 'b', relation_type: 'knows' };
    for (const [tool, args] of [
      ['create_relations', { relations: [relation] }],
      ['update_relation_type', { from_entity: 'a', to_entity: 'b', old_type: 'knows', new_type: 'likes' }],
      ['delete_relations', { relations: [{ ...relation, relation_type: 'likes' }] }],
    ] as const) {
      const before = [await updatedAt('a'), await updatedAt('b'), await updatedAt('c')];
      await later();
      await tools.ok(tool, args);
      const [a = '', b = '', c = ''] = before;
      expect((await updatedAt('a')) > a, tool).toBe(true);
      expect((await updatedAt('b')) > b, tool).toBe(true);
      expect(await updatedAt('c')).toBe(c);
    }
    const recent = await tools.list<{ name: string }>('get_recently_modified');
    expect(namesOf(recent)).toEqual(['b', 'a', 'c']);
    const pages = await tools.pages<{ name: string }>('get_recently_modified', {}, 1);
    expect(namesOf(pages)).toEqual(['b', 'a', 'c']);
  });

  test('the other end of a relation is changed when a node is deleted', async () => {
    await tools.create({ name: 'a' }, { name: 'b' });
    await tools.relate(['a', 'b']);
    const before = await updatedAt('b');
    await later();
    await tools.ok('delete_entities', { entity_names: ['a'] });
    expect((await updatedAt('b')) > before).toBe(true);
  });

  test('delete_relations counts each item once', async () => {
    await tools.create({ name: 'a' }, { name: 'b' });
    await tools.relate(['a', 'b']);
    const relation = { from_entity: 'a', to_entity: 'b', relation_type: 'knows' };
    const answer = await tools.ok('delete_relations', {
      relations: [relation, relation, { ...relation, to_entity: 'Zed' }],
    });
    expect(answer).toEqual({ deleted: 1, not_found: 2 });
  });

  test.each(['embedding', 'text', 'hybrid'])(
    'a query without words finds nothing in mode %s, and says why',
    async (mode) => {
      await tools.create({ name: 'a', observations: ['something', 'What???'] });
      const nothing = { results: [], warnings: [expect.stringContaining('no letter or digit')] };
      expect(await tools.ok<ListOf<object>>('search_nodes', { query: '???', mode })).toEqual(nothing);
      expect(await tools.ok('query_observations', { entity_name: 'a', query: '?!', mode })).toEqual(nothing);
    },
  );

  test('blank names and observations are refused', async () => {
    await tools.create({ name: 'a', observations: ['one'] });
    for (const [tool, args] of [
      ['create_entities', { entities: [{ name: ' ', entity_type: 't' }] }],
      ['create_entities', { entities: [{ name: 'b', entity_type: '\t' }] }],
      ['create_entities', { entities: [{ name: 'b', entity_type: 't', observations: [''] }] }],
      ['add_observations', { observations: [{ entity_name: 'a', contents: ['two', ' \n'] }] }],
      ['replace_observation', { entity_name: 'a', ordinal: 1, new_content: '' }],
      ['create_relations', { relations: [{ from_entity: 'a', to_entity: 'a', relation_type: ' ' }] }],
    ] as const) {
      expect(await tools.error(tool, args), tool).toMatch(/must not be (empty|blank)/);
    }
    expect(await tools.list('get_nodes_by_type', { entity_type: 'thing' })).toHaveLength(1);
    expect(await tools.ok('get_stats')).toMatchObject({ node_count: 1, observation_count: 1 });
  });

  test('a cursor of another tool is refused', async () => {
    await tools.create({ name: 'a' }, { name: 'b' }, { name: 'c' });
    const cursors = new Map<string, string>();
    const lists: Record<string, Record<string, unknown>> = {
      get_nodes_by_type: { entity_type: 'thing' },
      get_orphans: {},
      get_recently_modified: {},
      open_nodes: { names: ['a', 'b', 'c'] },
      search_nodes: { query: 'thing', mode: 'text' },
    };
    for (const [tool, args] of Object.entries(lists)) {
      const { nextCursor } = await tools.ok<{ nextCursor: string }>(tool, { ...args, limit: 1 });
      cursors.set(tool, nextCursor);
    }
    lists['get_relation_gaps'] = {};
    lists['get_neighborhood'] = { name: 'a' };
    lists['query_observations'] = { entity_name: 'a', query: 'thing', mode: 'text' };
    lists['get_pending_consolidation'] = {};
    for (const [tool, args] of Object.entries(lists)) {
      for (const [other, cursor] of cursors) {
        if (other === tool) continue;
        expect(await tools.error(tool, { ...args, cursor }), `${tool} ${other}`).toContain(
          'The cursor was not issued by this tool.',
        );
      }
    }
  });
});
