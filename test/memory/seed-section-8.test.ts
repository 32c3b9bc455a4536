import { readFile, writeFile } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { entity, MemoryTools, namesOf, relation } from '../helpers/memory-tools.js';
import { type Scratch, scratchStore, storeKinds } from '../helpers/stores.js';

/** The behavioural tests of the memory server's specification, by their numbers and names. */
describe.each(storeKinds)('memory specification, section 8, on $kind', (kind) => {
  let scratch: Scratch;
  let tools: MemoryTools;

  beforeEach(async () => {
    scratch = await scratchStore(kind);
    tools = new MemoryTools(scratch.store);
  });
  afterEach(() => scratch.dispose());

  describe('8.1 entity operations', () => {
    test('create basic entities', async () => {
      const alice = entity('Alice', ['Is a student'], 'person');
      expect(await tools.createEntities(alice)).toEqual([alice]);
      expect(await tools.readGraph()).toEqual({ entities: [alice], relations: [] });
    });

    test('a duplicate entity is not created', async () => {
      const alice = entity('Alice', ['Is a student'], 'person');
      await tools.createEntities(alice);
      expect(await tools.createEntities(entity('Alice', ['Is a robot'], 'machine'))).toEqual([]);
      expect((await tools.readGraph()).entities).toEqual([alice]);
    });

    test('of a mixed batch only the new entities are created', async () => {
      await tools.createEntities(entity('Alice'));
      expect(await tools.createEntities(entity('Alice'), entity('Bob'))).toEqual([entity('Bob')]);
      expect(namesOf(await tools.readGraph())).toEqual(['Alice', 'Bob']);
    });

    test('entity names are case-sensitive', async () => {
      await tools.createEntities(entity('alice'));
      expect(await tools.createEntities(entity('Alice'))).toEqual([entity('Alice')]);
      expect(namesOf(await tools.readGraph())).toEqual(['alice', 'Alice']);
    });
  });

  describe('8.2 relation operations', () => {
    beforeEach(() => tools.createEntities(entity('A'), entity('B')));

    test('create basic relation', async () => {
      expect(await tools.createRelations(relation('A', 'B'))).toEqual([relation('A', 'B')]);
    });

    test('a duplicate relation is not created', async () => {
      await tools.createRelations(relation('A', 'B'));
      expect(await tools.createRelations(relation('A', 'B'))).toEqual([]);
      expect((await tools.readGraph()).relations).toEqual([relation('A', 'B')]);
    });

    test('the same ends with another type are another relation', async () => {
      await tools.createRelations(relation('A', 'B', 'knows'));
      expect(await tools.createRelations(relation('A', 'B', 'likes'))).toEqual([relation('A', 'B', 'likes')]);
      expect((await tools.readGraph()).relations).toHaveLength(2);
    });

    test('the reverse direction is another relation', async () => {
      await tools.createRelations(relation('A', 'B'));
      expect(await tools.createRelations(relation('B', 'A'))).toEqual([relation('B', 'A')]);
      expect((await tools.readGraph()).relations).toHaveLength(2);
    });
  });

  describe('8.3 observation operations', () => {
    const addTo = (entityName: string, ...contents: string[]) => ({
      observations: [{ entityName, contents }],
    });
    const deleteFrom = (entityName: string, ...observations: string[]) => ({
      deletions: [{ entityName, observations }],
    });

    test('add observations to existing entity', async () => {
      await tools.createEntities(entity('Alice', ['Is a student']));
      expect(await tools.ok('add_observations', addTo('Alice', 'Likes pizza'))).toEqual({
        results: [{ entityName: 'Alice', addedObservations: ['Likes pizza'] }],
      });
      expect(await tools.open('Alice')).toMatchObject({
        entities: [entity('Alice', ['Is a student', 'Likes pizza'])],
      });
    });

    test('duplicate observations are not added', async () => {
      await tools.createEntities(entity('Alice', ['Is a student']));
      expect(await tools.ok('add_observations', addTo('Alice', 'Is a student', 'Likes pizza'))).toEqual({
        results: [{ entityName: 'Alice', addedObservations: ['Likes pizza'] }],
      });
      expect(await tools.open('Alice')).toMatchObject({
        entities: [entity('Alice', ['Is a student', 'Likes pizza'])],
      });
    });

    test('adding observations to a nonexistent entity throws', async () => {
      expect(await tools.error('add_observations', addTo('Nonexistent', 'anything'))).toBe(
        'Entity with name Nonexistent not found',
      );
    });

    test('delete specific observations', async () => {
      await tools.createEntities(entity('Alice', ['Is a student', 'Likes pizza']));
      await tools.ok('delete_observations', deleteFrom('Alice', 'Likes pizza'));
      expect((await tools.open('Alice')).entities).toEqual([entity('Alice', ['Is a student'])]);
    });

    test('deleting observations from a nonexistent entity is a silent no-op', async () => {
      expect(await tools.ok('delete_observations', deleteFrom('Nonexistent', 'anything'))).toMatchObject({
        success: true,
      });
    });
  });

  describe('8.4 delete operations', () => {
    test('delete entity cascades to relations', async () => {
      await tools.createEntities(entity('Alice'), entity('Bob'));
      await tools.createRelations(relation('Alice', 'Bob', 'knows'));
      await tools.ok('delete_entities', { entityNames: ['Alice'] });
      expect(await tools.readGraph()).toEqual({ entities: [entity('Bob')], relations: [] });
    });

    test('the cascade reaches relations that end at the entity', async () => {
      await tools.createEntities(entity('Alice'), entity('Bob'));
      await tools.createRelations(relation('Bob', 'Alice', 'reports_to'));
      await tools.ok('delete_entities', { entityNames: ['Alice'] });
      expect(await tools.readGraph()).toEqual({ entities: [entity('Bob')], relations: [] });
    });

    test('the cascade spares unrelated relations', async () => {
      await tools.createEntities(entity('A'), entity('B'), entity('C'));
      await tools.createRelations(relation('A', 'B'), relation('B', 'C'));
      await tools.ok('delete_entities', { entityNames: ['A'] });
      expect(await tools.readGraph()).toEqual({
        entities: [entity('B'), entity('C')],
        relations: [relation('B', 'C')],
      });
    });

    test('delete a specific relation', async () => {
      await tools.createEntities(entity('A'), entity('B'));
      await tools.createRelations(relation('A', 'B', 'knows'), relation('A', 'B', 'likes'));
      await tools.ok('delete_relations', { relations: [relation('A', 'B', 'knows')] });
      expect((await tools.readGraph()).relations).toEqual([relation('A', 'B', 'likes')]);
    });
  });

  describe('8.5 search operations', () => {
    test('search by entity name (case-insensitive)', async () => {
      await tools.createEntities(entity('John_Smith'), entity('Mary'));
      expect(namesOf(await tools.search('john'))).toEqual(['John_Smith']);
    });

    test('search by entity type', async () => {
      await tools.createEntities(entity('Ann', [], 'Person'), entity('Rome', [], 'city'));
      expect(namesOf(await tools.search('person'))).toEqual(['Ann']);
    });

    test('search by observation content', async () => {
      await tools.createEntities(entity('Ann', ['Works at Google']), entity('Ben', ['Works at home']));
      expect(namesOf(await tools.search('google'))).toEqual(['Ann']);
    });

    test('search returns the relations of what it finds', async () => {
      await tools.createEntities(entity('needle'), entity('other'));
      await tools.createRelations(relation('needle', 'other'));
      expect(await tools.search('needle')).toEqual({
        entities: [entity('needle')],
        relations: [relation('needle', 'other')],
      });
    });

    test('search returns relations in both directions', async () => {
      await tools.createEntities(entity('first'), entity('middle'), entity('last'));
      await tools.createRelations(relation('first', 'middle'), relation('middle', 'last'));
      expect(await tools.search('middle')).toEqual({
        entities: [entity('middle')],
        relations: [relation('first', 'middle'), relation('middle', 'last')],
      });
    });

    test('search with no results', async () => {
      await tools.createEntities(entity('Alice'));
      expect(await tools.search('xyznonexistent')).toEqual({ entities: [], relations: [] });
    });
  });

  describe('8.6 open nodes operations', () => {
    test('open specific nodes', async () => {
      await tools.createEntities(entity('A'), entity('B'));
      expect((await tools.open('A')).entities).toEqual([entity('A')]);
    });

    test('open nodes returns their relations', async () => {
      await tools.createEntities(entity('A'), entity('B'));
      await tools.createRelations(relation('A', 'B'));
      expect(await tools.open('A')).toEqual({ entities: [entity('A')], relations: [relation('A', 'B')] });
    });

    test('open nodes is case-sensitive', async () => {
      await tools.createEntities(entity('Alice'));
      expect(await tools.open('alice')).toEqual({ entities: [], relations: [] });
    });

    test('open several nodes with the relations of each', async () => {
      await tools.createEntities(entity('A'), entity('B'), entity('C'));
      await tools.createRelations(relation('A', 'B'), relation('B', 'C'), relation('A', 'C'));
      expect(await tools.open('A', 'C')).toEqual({
        entities: [entity('A'), entity('C')],
        relations: [relation('A', 'B'), relation('B', 'C'), relation('A', 'C')],
      });
    });
  });

  describe('8.7 persistence', () => {
    test('data survives a save and load cycle', async () => {
      await tools.createEntities(entity('A', ['one', 'two']), entity('B'));
      await tools.createRelations(relation('A', 'B'));
      const before = await tools.readGraph();
      tools = new MemoryTools(await scratch.reopen());
      expect(await tools.readGraph()).toEqual(before);
    });

    test.runIf(kind.kind === 'jsonl')(
      'the file has one typed JSON object a line, entities first',
      async () => {
        await tools.createEntities(entity('A', ['one']), entity('B'));
        await tools.createRelations(relation('A', 'B'));
        const lines = (await readFile(scratch.path, 'utf8')).trimEnd().split('\n');
        expect(lines.map((line) => JSON.parse(line).type)).toEqual(['entity', 'entity', 'relation']);
      },
    );

    test.runIf(kind.kind === 'jsonl')('the type field is stripped on load', async () => {
      const lines = [
        { type: 'entity', ...entity('A', ['one']) },
        { type: 'relation', ...relation('A', 'B') },
      ];
      await writeFile(scratch.path, lines.map((line) => JSON.stringify(line)).join('\n'));
      tools = new MemoryTools(await scratch.reopen());
      expect(await tools.readGraph()).toEqual({
        entities: [entity('A', ['one'])],
        relations: [relation('A', 'B')],
      });
    });
  });
});
