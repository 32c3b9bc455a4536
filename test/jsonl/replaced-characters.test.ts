import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { MemoryTools } from '../helpers/memory-tools.js';
import { MeshTools } from '../helpers/mesh-tools.js';
import { openFile, scratchFile } from './scratch-file.js';

const damaged =
  '{"type":"entity","name":"Ada","entityType":"person","observations":["fine","half \\ud83d here","\\u0000"]}';
const other = '{"type":"entity", "name":"Bob","entityType":"person","observations":["with \\ud83d\\ude00"]}';

async function opened(...lines: string[]) {
  const path = await scratchFile(...lines);
  const file = await openFile(path);
  return { path, file, tools: new MemoryTools(file.store) };
}

describe('trust 17: a line with a character that cannot be stored', () => {
  test('shows its entity with the character replaced, and the answer says so', async () => {
    const { tools, file, path } = await opened(damaged, other);
    for (const answer of [
      await tools.readGraph(),
      await tools.search('half'),
      await tools.open('Ada'),
      await tools.search('half', { mode: 'ranked' }),
    ]) {
      expect(answer.entities[0]).toEqual({
        name: 'Ada',
        entityType: 'person',
        observations: ['fine', 'half \uFFFD here', '\uFFFD'],
      });
      expect(answer.warnings).toEqual([
        expect.stringMatching(/^Texts of Ada contain .* shown as U\+FFFD\. The file keeps them/),
      ]);
    }
    expect(await tools.open('Bob')).toEqual({
      entities: [{ name: 'Bob', entityType: 'person', observations: ['with 😀'] }],
      relations: [],
    });
    expect(file.warnings).toEqual([
      `${path}:1: the line has a text that contains half of a surrogate pair, which is not valid Unicode; that character is shown as U+FFFD, and the line is kept in the file`,
    ]);
    expect(await file.store.check()).toHaveLength(1);
  });

  test('is told of by the mesh tools too', async () => {
    const { file } = await opened(damaged);
    const mesh = await MeshTools.open(file.store);
    const { data, warnings } = await mesh.ok('open_nodes', { names: ['Ada'] });
    expect(data.nodes[0]?.metadata).toEqual(['fine', 'half \uFFFD here', '\uFFFD']);
    expect(warnings).toEqual([expect.stringContaining('U+FFFD')]);
    await mesh.close();
  });

  test('keeps its bytes while other lines change', async () => {
    const { tools, path } = await opened(damaged, other);
    await tools.createEntities({ name: 'Cleo', entityType: 'person', observations: [] });
    await tools.createRelations({ from: 'Ada', to: 'Cleo', relationType: 'knows' });
    expect((await readFile(path, 'utf8')).split('\n').slice(0, 2)).toEqual([damaged, other]);
  });

  test('keeps the texts that are still there when the entity changes', async () => {
    const { tools, path } = await opened(damaged);
    await tools.ok('add_observations', { observations: [{ entityName: 'Ada', contents: ['new'] }] });
    expect(await readFile(path, 'utf8')).toBe(damaged.replace('"\\u0000"]', '"\\u0000","new"]').concat('\n'));
    expect((await tools.open('Ada')).warnings).toHaveLength(1);
    await tools.ok('delete_observations', {
      deletions: [{ entityName: 'Ada', observations: ['half \uFFFD here', '\uFFFD'] }],
    });
    expect(await readFile(path, 'utf8')).not.toContain('\\u');
    expect(await tools.open('Ada')).not.toHaveProperty('warnings');
  });

  test('is not doubled when its entity is created again', async () => {
    const { tools, path } = await opened(damaged);
    const answer = await tools.ok('create_entities', {
      entities: [{ name: 'Ada', entityType: 'person', observations: ['again'] }],
    });
    expect(answer).toEqual({ entities: [], skipped: ['Ada'] });
    expect(await readFile(path, 'utf8')).toBe(`${damaged}\n`);
  });

  test('goes with its entity', async () => {
    const { tools, path } = await opened(damaged, other);
    await tools.ok('delete_entities', { entityNames: ['Ada'] });
    expect(await readFile(path, 'utf8')).toBe(`${other}\n`);
    await tools.createEntities({ name: 'Ada', entityType: 'person', observations: ['new'] });
    expect(await tools.readGraph()).not.toHaveProperty('warnings');
  });
});
