import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { databaseKinds, type Scratch, scratchStore } from '../helpers/stores.js';
import { WorkspaceTools } from '../helpers/workspace-tools.js';

/** A call of every tool, with what it must answer in a workspace that has none of what it names. */
const calls: Readonly<Record<string, { args: Record<string, unknown>; answer: unknown }>> = {
  open_nodes: { args: { names: ['Ann'] }, answer: { entities: [], relations: [], not_found: ['Ann'] } },
  get_nodes_by_type: { args: { entity_type: 'person' }, answer: { results: [] } },
  get_recently_modified: { args: {}, answer: { results: [] } },
  set_summary: { args: { name: 'Ann', summary: 's' }, answer: /Node 'Ann' not found/ },
  set_tags: { args: { name: 'Ann', tags: [] }, answer: /Node 'Ann' not found/ },
  add_observations: {
    args: { observations: [{ entity_name: 'Ann', contents: ['x'] }] },
    answer: { results: [{ entity_name: 'Ann', added: [], not_found: true }] },
  },
  replace_observation: {
    args: { entity_name: 'Ann', ordinal: 1, new_content: 'x' },
    answer: /Node 'Ann' not found/,
  },
  delete_observations: {
    args: { deletions: [{ entity_name: 'Ann', ordinals: [1] }] },
    answer: { results: [{ entity_name: 'Ann', deleted_ordinals: [], not_found_ordinals: [1] }] },
  },
  query_observations: { args: { entity_name: 'Ann', query: 'secret' }, answer: /Node 'Ann' not found/ },
  create_relations: {
    args: { relations: [{ from_entity: 'Ann', to_entity: 'Bob', relation_type: 'x' }] },
    answer: { created: [], already_existed: [], not_found: ['Ann', 'Bob'] },
  },
  delete_relations: {
    args: { relations: [{ from_entity: 'Ann', to_entity: 'Bob', relation_type: 'knows' }] },
    answer: { deleted: 0, not_found: 1 },
  },
  update_relation_type: {
    args: { from_entity: 'Ann', to_entity: 'Bob', old_type: 'knows', new_type: 'x' },
    answer: /Node 'Ann' not found/,
  },
  get_relations_between: { args: { entity_a: 'Ann', entity_b: 'Bob' }, answer: /Node 'Ann' not found/ },
  get_neighborhood: { args: { name: 'Ann' }, answer: /Node 'Ann' not found/ },
  get_path: { args: { from_entity: 'Ann', to_entity: 'Bob' }, answer: /Node 'Ann' not found/ },
  get_orphans: { args: {}, answer: { results: [] } },
  get_relation_gaps: { args: {}, answer: { results: [] } },
  find_similar_nodes: { args: { min_score: 0 }, answer: { results: [] } },
  search_nodes: { args: { query: 'secret plans of Ann' }, answer: { results: [] } },
  get_consolidation_report: {
    args: {},
    answer: {
      stale_summaries: [],
      relation_candidates: [],
      orphaned_nodes: [],
      cluster_summary: [],
      event_summary: { creates: 0, updates: 0, deletes: 0 },
    },
  },
  get_pending_consolidation: { args: {}, answer: { results: [] } },
  get_stats: {
    args: {},
    answer: {
      node_count: 0,
      observation_count: 0,
      relation_count: 0,
      embedding_coverage: 1,
      workspace: 'other',
    },
  },
  create_entities: {
    args: { entities: [{ name: 'Ann', entity_type: 'robot', observations: ['mine'] }] },
    answer: { results: [{ name: 'Ann', entity_type: 'robot' }] },
  },
  delete_entities: {
    args: { entity_names: ['Ann', 'Bob'] },
    answer: { deleted: ['Ann'], not_found: ['Bob'] },
  },
};

describe.each(databaseKinds)('two workspaces in one $kind store', (kind) => {
  let scratch: Scratch;
  let first: WorkspaceTools;
  let other: WorkspaceTools;
  beforeEach(async () => {
    scratch = await scratchStore(kind);
    await scratch.store.createGraph('other');
    first = await WorkspaceTools.open(scratch.store);
    other = await WorkspaceTools.open(scratch.store, { workspace: 'other' });
  });
  afterEach(async () => {
    await first.close();
    await other.close();
    await scratch.dispose();
  });

  test('no tool sees or touches what is in the other', async () => {
    expect(Object.keys(calls).sort()).toEqual(first.surface.tools.map(({ name }) => name).sort());
    await first.create(
      { name: 'Ann', entity_type: 'person', observations: ['secret plans with Carl', 'x'] },
      { name: 'Bob', entity_type: 'person', observations: ['secret plans'] },
      { name: 'Carl', entity_type: 'person' },
    );
    await first.relate(['Ann', 'Bob']);
    const names = ['Ann', 'Bob', 'Carl'];
    const before = await first.ok('open_nodes', { names });
    for (const [name, { args, answer }] of Object.entries(calls)) {
      const { structured, texts, isError } = await other.call(name, args);
      if (answer instanceof RegExp) {
        expect(isError, name).toBe(true);
        expect(texts.join(), name).toMatch(answer);
      } else {
        expect(isError, texts[0]).toBe(false);
        expect(structured, name).toMatchObject(answer as object);
        const { results } = structured;
        if (Array.isArray(results))
          expect(results, name).toHaveLength((answer as { results: [] }).results.length);
      }
    }
    expect(await first.ok('open_nodes', { names })).toEqual(before);
    expect(await first.ok('get_stats')).toMatchObject({
      node_count: 3,
      relation_count: 1,
      workspace: 'default',
    });
  });
});
