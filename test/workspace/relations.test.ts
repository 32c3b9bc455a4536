import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { databaseKinds, type Scratch, scratchStore } from '../helpers/stores.js';
import { WorkspaceTools } from '../helpers/workspace-tools.js';

const relation = (from_entity: string, to_entity: string, relation_type = 'knows') => ({
  from_entity,
  to_entity,
  relation_type,
});

describe.each(databaseKinds)('relations of a workspace on $kind', (kind) => {
  let scratch: Scratch;
  let tools: WorkspaceTools;
  beforeEach(async () => {
    scratch = await scratchStore(kind);
    tools = await WorkspaceTools.open(scratch.store);
    await tools.create({ name: 'A' }, { name: 'B' }, { name: 'C' });
  });
  afterEach(async () => {
    await tools.close();
    await scratch.dispose();
  });

  const between = (entity_a: string, entity_b: string) =>
    tools.list('get_relations_between', { entity_a, entity_b });

  test('create_relations says what was created, what existed and who is not there', async () => {
    await tools.relate(['A', 'B']);
    const answer = await tools.ok('create_relations', {
      relations: [
        relation('A', 'B'),
        relation('B', 'A'),
        relation('B', 'A'),
        relation('A', 'Nobody'),
        relation('Noone', 'Nobody'),
      ],
    });
    expect(answer).toEqual({
      created: [relation('B', 'A')],
      already_existed: [relation('B', 'A'), relation('A', 'B')],
      not_found: ['Nobody', 'Noone'],
    });
    expect(await tools.ok('get_stats')).toMatchObject({ node_count: 3, relation_count: 2 });
    const none = { created: [], already_existed: [], not_found: [] };
    expect(await tools.ok('create_relations', { relations: [] })).toEqual(none);
    expect(await tools.error('create_relations', { relations: [relation('A', 'B', '')] })).toContain(
      'relation_type',
    );
    expect(await tools.error('create_relations', { relations: [relation('A', 'B', 'a\0')] })).toContain(
      'NUL',
    );
  });

  test('delete_relations counts what was there and what was not', async () => {
    await tools.relate(['A', 'B'], ['B', 'A'], ['A', 'C', 'likes']);
    const relations = [relation('A', 'B'), relation('C', 'A', 'likes'), relation('Nobody', 'A')];
    expect(await tools.ok('delete_relations', { relations })).toEqual({ deleted: 1, not_found: 2 });
    expect(await between('A', 'B')).toEqual([{ from: 'B', to: 'A', relation_type: 'knows' }]);
    expect(await tools.ok('delete_relations', { relations: [] })).toEqual({ deleted: 0, not_found: 0 });
    expect(await tools.error('delete_relations', { relations: [{}] })).toContain('from_entity');
  });

  test('update_relation_type renames, and keeps the direction', async () => {
    await tools.relate(['A', 'B'], ['B', 'A']);
    const args = { from_entity: 'A', to_entity: 'B', old_type: 'knows', new_type: 'trusts' };
    expect(await tools.ok('update_relation_type', args)).toEqual(args);
    expect(await between('A', 'B')).toEqual([
      { from: 'A', to: 'B', relation_type: 'trusts' },
      { from: 'B', to: 'A', relation_type: 'knows' },
    ]);
  });

  test('update_relation_type onto a relation that exists merges into it and says so', async () => {
    await tools.relate(['A', 'B'], ['A', 'B', 'trusts']);
    const args = { from_entity: 'A', to_entity: 'B', old_type: 'knows', new_type: 'trusts' };
    expect(await tools.ok('update_relation_type', args)).toEqual({ ...args, merged: true });
    expect(await between('A', 'B')).toEqual([{ from: 'A', to: 'B', relation_type: 'trusts' }]);
  });

  test('update_relation_type to the type it has changes nothing', async () => {
    await tools.relate(['A', 'B']);
    const args = { from_entity: 'A', to_entity: 'B', old_type: 'knows', new_type: 'knows' };
    expect(await tools.ok('update_relation_type', args)).toEqual(args);
    expect(await between('A', 'B')).toHaveLength(1);
  });

  test('update_relation_type says what is not there', async () => {
    await tools.relate(['A', 'B']);
    const update = (args: object) =>
      tools.error('update_relation_type', {
        from_entity: 'A',
        to_entity: 'B',
        old_type: 'knows',
        new_type: 'x',
        ...args,
      });
    expect(await update({ old_type: 'old' })).toContain("Relation 'old' from 'A' to 'B' not found");
    expect(await update({ from_entity: 'B', to_entity: 'A' })).toContain(
      "Relation 'knows' from 'B' to 'A' not found",
    );
    expect(await update({ to_entity: 'Nobody' })).toContain("Node 'Nobody' not found");
    expect(await update({ new_type: '' })).toContain('new_type');
    expect(await between('A', 'B')).toEqual([{ from: 'A', to: 'B', relation_type: 'knows' }]);
  });

  test('get_relations_between answers both directions, and nothing of others', async () => {
    await tools.relate(['A', 'B'], ['B', 'A', 'likes'], ['A', 'C'], ['A', 'A', 'is']);
    expect(await between('B', 'A')).toEqual([
      { from: 'A', to: 'B', relation_type: 'knows' },
      { from: 'B', to: 'A', relation_type: 'likes' },
    ]);
    expect(await between('A', 'A')).toEqual([{ from: 'A', to: 'A', relation_type: 'is' }]);
    expect(await between('B', 'C')).toEqual([]);
    const text = await tools.error('get_relations_between', { entity_a: 'A', entity_b: 'Nobody' });
    expect(text).toContain("Node 'Nobody' not found");
    expect(await tools.error('get_relations_between', { entity_a: 'A' })).toContain('entity_b is missing');
  });
});
