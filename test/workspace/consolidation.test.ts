import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { databaseKinds, type Scratch, scratchStore } from '../helpers/stores.js';
import { namesOf, WorkspaceTools } from '../helpers/workspace-tools.js';

const dayMs = 86_400_000;

interface Report {
  stale_summaries: {
    name: string;
    entity_type: string;
    last_modified: string;
    observation_count: number;
    draft_summary: string | null;
  }[];
  relation_candidates: {
    node_a: string;
    node_b: string;
    similarity_score: number;
    rationale: string | null;
  }[];
  orphaned_nodes: { name: string }[];
  cluster_summary: { cluster_id: number; node_names: string[]; centroid_label: string | null }[];
  event_summary: { since: string; creates: number; updates: number; deletes: number };
  warnings?: string[];
}

describe.each(databaseKinds)('consolidation on $kind', (kind) => {
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

  const pending = async () => namesOf(await tools.list<{ name: string }>('get_pending_consolidation'));
  const report = (args: Record<string, unknown> = {}) => tools.ok<Report>('get_consolidation_report', args);

  test('a node waits for a summary as long as it has none, or a newer observation', async () => {
    await tools.create(
      { name: 'A', observations: ['x', 'y'] },
      { name: 'B', observations: ['x'], summary: 'Known.' },
      { name: 'Empty' },
    );
    expect(await tools.list('get_pending_consolidation')).toEqual([
      {
        name: 'A',
        entity_type: 'thing',
        observation_count: 2,
        last_observation_at: expect.any(String),
        summary_updated_at: null,
      },
    ]);
    await tools.ok('set_summary', { name: 'A', summary: 's' });
    expect(await pending()).toEqual([]);
    await tools.ok('add_observations', { observations: [{ entity_name: 'B', contents: ['new'] }] });
    expect(await pending()).toEqual(['B']);
    await tools.ok('set_summary', { name: 'B', summary: 's' });
    await tools.ok('replace_observation', { entity_name: 'A', ordinal: 1, new_content: 'changed' });
    expect(await pending()).toEqual(['A']);
    await tools.ok('set_tags', { name: 'A', tags: ['t'] });
    expect(await pending()).toEqual(['A']);
    await tools.ok('delete_observations', { deletions: [{ entity_name: 'A', ordinals: [1, 2] }] });
    expect(await pending()).toEqual([]);
  });

  test('get_pending_consolidation comes in pages', async () => {
    await tools.create(...[1, 2, 3, 4, 5].map((index) => ({ name: `n${index}`, observations: ['x'] })));
    await tools.ok('set_summary', { name: 'n2', summary: 's' });
    const all = await tools.pages<{ name: string }>('get_pending_consolidation', {}, 2);
    expect(namesOf(all)).toEqual(['n1', 'n3', 'n4', 'n5']);
    expect(await tools.error('get_pending_consolidation', { limit: 0 })).toContain('limit');
  });

  test('the report of an empty workspace is empty in every part', async () => {
    expect(await report()).toMatchObject({
      stale_summaries: [],
      relation_candidates: [],
      orphaned_nodes: [],
      cluster_summary: [],
      event_summary: { creates: 0, updates: 0, deletes: 0 },
    });
  });

  test('old summaries come with a draft of the most central sentences', async () => {
    await tools.create({
      name: 'Deploy',
      observations: [
        'The deploy pipeline runs on merge. It rained on Tuesday.',
        'The pipeline deploys to staging first',
        'Staging deploys of the pipeline take four minutes.',
      ],
    });
    const [stale] = (await report()).stale_summaries;
    expect(stale).toMatchObject({ name: 'Deploy', entity_type: 'thing', observation_count: 3 });
    expect(stale?.draft_summary).toBe(
      'The deploy pipeline runs on merge. The pipeline deploys to staging first. Staging deploys of the pipeline take four minutes.',
    );
    await tools.ok('set_summary', { name: 'Deploy', summary: 's' });
    expect((await report()).stale_summaries).toEqual([]);
  });

  test('clusters are the communities of relations, labelled by their most connected node', async () => {
    const names = ['hub', 'a', 'b', 'c', 'centre', 'x', 'y', 'alone'];
    await tools.create(...names.map((name) => ({ name })));
    await tools.relate(
      ...(['a', 'b', 'c'] as const).map((name) => ['hub', name] as const),
      ['a', 'b'],
      ['b', 'c'],
      ['hub', 'a', 'likes'],
      ['hub', 'b', 'likes'],
      ['centre', 'x'],
      ['x', 'y'],
      ['centre', 'y', 'likes'],
      ['y', 'centre'],
      ['c', 'x', 'bridges'],
    );
    const { cluster_summary, orphaned_nodes } = await report();
    expect(cluster_summary).toHaveLength(2);
    expect(cluster_summary[0]).toMatchObject({ cluster_id: 1, centroid_label: 'hub' });
    expect(cluster_summary[0]?.node_names.toSorted()).toEqual(['a', 'b', 'c', 'hub']);
    expect(cluster_summary[1]).toMatchObject({ cluster_id: 2, centroid_label: 'centre' });
    expect(cluster_summary[1]?.node_names.toSorted()).toEqual(['centre', 'x', 'y']);
    expect(namesOf(orphaned_nodes)).toEqual(['alone']);
    expect((await report()).cluster_summary).toEqual(cluster_summary);
  });

  test('the summary of events counts nodes, observations and relations of the last 30 days', async () => {
    await tools.create({ name: 'A', observations: ['x', 'y'] }, { name: 'B' });
    await tools.relate(['A', 'B']);
    await tools.ok('replace_observation', { entity_name: 'A', ordinal: 1, new_content: 'z' });
    await tools.ok('set_summary', { name: 'A', summary: 's' });
    await tools.ok('delete_observations', { deletions: [{ entity_name: 'A', ordinals: [2] }] });
    const { event_summary } = await report();
    expect(event_summary).toMatchObject({ creates: 5, updates: 2, deletes: 1 });
    const since = new Date(event_summary.since).getTime();
    expect(Math.abs(Date.now() - 30 * dayMs - since)).toBeLessThan(dayMs);
    const later = await WorkspaceTools.open(scratch.store, { clock: () => Date.now() + 31 * dayMs });
    const old = await later.ok<Report>('get_consolidation_report');
    expect(old.event_summary).toMatchObject({ creates: 0, updates: 0, deletes: 0 });
    await later.close();
  });

  test('a report has no more than it was asked for, and says so', async () => {
    await tools.create(...[1, 2, 3].map((index) => ({ name: `n${index}`, observations: ['x'] })));
    const { stale_summaries, orphaned_nodes, warnings } = await report({ limit: 2 });
    expect(namesOf(stale_summaries)).toEqual(['n1', 'n2']);
    expect(namesOf(orphaned_nodes)).toEqual(['n1', 'n2']);
    expect(warnings?.join(' ')).toContain('get_pending_consolidation');
    expect(warnings?.join(' ')).toContain('get_orphans');
    expect(await tools.error('get_consolidation_report', { limit: 0 })).toContain('limit');
  });

  test('get_stats counts what is there', async () => {
    expect(await tools.ok('get_stats')).toEqual({
      node_count: 0,
      observation_count: 0,
      relation_count: 0,
      embedding_coverage: 1,
      workspace: 'default',
    });
    await tools.create({ name: 'A', observations: ['x', 'y'] }, { name: 'B' });
    await tools.relate(['A', 'B']);
    expect(await tools.ok('get_stats')).toMatchObject({
      node_count: 2,
      observation_count: 2,
      relation_count: 1,
    });
  });
});
