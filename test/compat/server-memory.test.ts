import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Entity, KnowledgeGraphManager, type Relation } from '../../src/compat/server-memory.js';

const alice: Entity = { name: 'Alice', entityType: 'person', observations: ['Is a student'] };
const bob: Entity = { name: 'Bob', entityType: 'person', observations: [] };
const knows: Relation = { from: 'Alice', to: 'Bob', relationType: 'knows' };

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trellis-compat-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe.each(['memory.jsonl', 'memory.txt', 'memory.db'])('KnowledgeGraphManager on %s', (name) => {
  let manager: KnowledgeGraphManager;
  beforeEach(() => {
    manager = new KnowledgeGraphManager(join(folder, name));
  });
  afterEach(() => manager.close());

  test('opens nothing until it is used', () => {
    expect(existsSync(join(folder, name))).toBe(false);
  });

  test('8.7 Data survives save/load cycle', async () => {
    await manager.createEntities([alice, bob]);
    await manager.createRelations([knows]);
    const again = new KnowledgeGraphManager(join(folder, name));
    expect(await again.loadGraph()).toEqual({ entities: [alice, bob], relations: [knows] });
    await again.close();
  });

  test('createEntities answers only the new ones', async () => {
    await manager.createEntities([alice]);
    expect(await manager.createEntities([{ ...alice, observations: ['Other'] }, bob, bob])).toEqual([bob]);
    expect((await manager.readGraph()).entities).toEqual([alice, bob]);
  });

  test('createRelations answers only the new ones, and checks no end', async () => {
    expect(await manager.createRelations([knows, knows])).toEqual([knows]);
    expect(await manager.createRelations([knows])).toEqual([]);
    expect(await manager.readGraph()).toEqual({ entities: [], relations: [knows] });
  });

  test('addObservations answers what was new, and throws for an unknown entity', async () => {
    await manager.createEntities([alice]);
    expect(
      await manager.addObservations([{ entityName: 'Alice', contents: ['Is a student', 'Likes pizza'] }]),
    ).toEqual([{ entityName: 'Alice', addedObservations: ['Likes pizza'] }]);
    await expect(
      manager.addObservations([
        { entityName: 'Alice', contents: ['lost'] },
        { entityName: 'Nonexistent', contents: ['anything'] },
      ]),
    ).rejects.toThrow('Entity with name Nonexistent not found');
    expect((await manager.openNodes(['Alice'])).entities[0]?.observations).toEqual([
      'Is a student',
      'Likes pizza',
    ]);
  });

  test('deletes answer nothing, and pass over what is not there', async () => {
    await manager.createEntities([alice, bob]);
    await manager.createRelations([knows, { ...knows, relationType: 'likes' }]);
    expect(await manager.deleteRelations([knows])).toBeUndefined();
    expect(
      await manager.deleteObservations([{ entityName: 'Nonexistent', observations: ['x'] }]),
    ).toBeUndefined();
    await manager.deleteObservations([{ entityName: 'Alice', observations: ['Is a student'] }]);
    expect((await manager.readGraph()).relations).toEqual([{ ...knows, relationType: 'likes' }]);
    await manager.deleteEntities(['Alice']);
    expect(await manager.readGraph()).toEqual({ entities: [bob], relations: [] });
  });

  test('searchNodes ignores case, openNodes does not; both bring the relations at either end', async () => {
    await manager.createEntities([alice, bob]);
    await manager.createRelations([knows]);
    expect(await manager.searchNodes('STUDENT')).toEqual({ entities: [alice], relations: [knows] });
    expect(await manager.openNodes(['bob'])).toEqual({ entities: [], relations: [] });
    expect(await manager.openNodes(['Bob'])).toEqual({ entities: [bob], relations: [knows] });
  });

  test('saveGraph makes the file hold that graph alone', async () => {
    await manager.createEntities([alice, bob]);
    await manager.createRelations([knows]);
    const carol: Entity = { name: 'Carol', entityType: 'person', observations: ['a', 'b'] };
    const graph = {
      entities: [carol, alice],
      relations: [{ from: 'Carol', to: 'Nobody', relationType: 'seeks' }],
    };
    await manager.saveGraph(graph);
    expect(await manager.loadGraph()).toEqual(graph);
    await manager.saveGraph({ entities: [], relations: [] });
    expect(await manager.loadGraph()).toEqual({ entities: [], relations: [] });
  });

  test('calls in flight together lose nothing', async () => {
    const names = Array.from({ length: 20 }, (_, index) => `e${index}`);
    await Promise.all(
      names.map((each) => manager.createEntities([{ name: each, entityType: 't', observations: [] }])),
    );
    expect((await manager.readGraph()).entities.map((entity) => entity.name).sort()).toEqual(
      [...names].sort(),
    );
  });
});

describe('arguments that no compiler has checked', () => {
  const wrong: [string, unknown, string][] = [
    ['createEntities', [{ name: 'A', entityType: 't' }], 'entities[0].observations is missing'],
    ['createEntities', [{ ...alice, observations: 'abc' }], 'entities[0].observations: expected array'],
    ['createEntities', [{ ...alice, name: 5 }], 'entities[0].name: expected string'],
    ['createEntities', alice, 'entities: expected array'],
    ['createRelations', [{ from: 'A', to: 'B' }], 'relations[0].relationType is missing'],
    ['addObservations', [{ entityName: 'Alice' }], 'observations[0].contents is missing'],
    [
      'addObservations',
      [{ entityName: 'Alice', contents: 'abc' }],
      'observations[0].contents: expected array',
    ],
    ['deleteEntities', 'Alice', 'entityNames: expected array'],
    ['deleteObservations', [{ entityName: 'Alice' }], 'deletions[0].observations is missing'],
    ['deleteRelations', [null], 'relations[0]: expected object'],
    ['saveGraph', { entities: [] }, 'relations is missing'],
    ['saveGraph', undefined, 'the arguments is missing'],
    ['searchNodes', undefined, 'query is missing'],
    ['openNodes', 'Alice', 'names: expected array'],
  ];

  test.each(wrong)('%s(%j) says what is wrong, and changes nothing', async (method, value, words) => {
    const manager = new KnowledgeGraphManager(join(folder, 'memory.jsonl'));
    await manager.createEntities([alice]);
    const call = Reflect.apply(Reflect.get(manager, method), manager, [value]);
    await expect(call).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
      message: expect.stringContaining(`Invalid arguments for ${method}: ${words}`),
    });
    expect(await manager.readGraph()).toEqual({ entities: [alice], relations: [] });
    await manager.close();
  });

  test.each([undefined, null, '', 5])('the path %j is refused: no other data is opened instead', (path) => {
    expect(() => Reflect.construct(KnowledgeGraphManager, [path])).toThrow(/memoryFilePath/);
  });
});

describe('8.7 the file', () => {
  test('8.7 JSONL format: each line is JSON with its type, entities before relations', async () => {
    const path = join(folder, 'memory.jsonl');
    const manager = new KnowledgeGraphManager(path);
    await manager.createEntities([alice, bob]);
    await manager.createRelations([knows]);
    const lines = (await readFile(path, 'utf8')).trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      { type: 'entity', ...alice },
      { type: 'entity', ...bob },
      { type: 'relation', ...knows },
    ]);
    await manager.close();
  });

  test('what was loaded can be saved, also with empty names that the reference server has written', async () => {
    const path = join(folder, 'memory.jsonl');
    const written = '{"type":"entity","name":"","entityType":"t","observations":["a"]}\n';
    await writeFile(path, written);
    const manager = new KnowledgeGraphManager(path);
    const graph = await manager.loadGraph();
    await manager.saveGraph({ ...graph, entities: [...graph.entities, alice] });
    expect((await manager.loadGraph()).entities.map(({ name }) => name)).toEqual(['', 'Alice']);
    await manager.close();
  });

  test('8.7 Type field stripped on load', async () => {
    const path = join(folder, 'memory.jsonl');
    await writeFile(
      path,
      [
        { type: 'entity', ...alice },
        { type: 'relation', ...knows },
      ]
        .map((line) => JSON.stringify(line))
        .join('\n'),
    );
    const manager = new KnowledgeGraphManager(path);
    const graph = await manager.loadGraph();
    expect(graph).toEqual({ entities: [alice], relations: [knows] });
    expect(graph.entities[0]).not.toHaveProperty('type');
    expect(graph.relations[0]).not.toHaveProperty('type');
    await manager.close();
  });
});

test.each(['memory.jsonl', 'memory.db'])('a program that uses %s ends by itself', async (name) => {
  const module = new URL('../../dist/bundle/server-memory.js', import.meta.url).href;
  const program = `
    import { KnowledgeGraphManager } from ${JSON.stringify(module)};
    const manager = new KnowledgeGraphManager(${JSON.stringify(join(folder, name))});
    await manager.createEntities([{ name: 'A', entityType: 't', observations: [] }]);
    console.log((await manager.readGraph()).entities.length);`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program], {
    timeout: 120_000,
  });
  expect(stdout).toBe('1\n');
});
