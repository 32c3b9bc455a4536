import {
  appendFile,
  chmod,
  lstat,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Writer } from '../../src/store/writer.js';
import { entity, linesOf, openFile, relation, scratchFile, scratchFolder } from './scratch-file.js';

describe('the file', () => {
  test('a file that is missing is an empty graph, and the first write makes it, with its folders, for its owner alone', async () => {
    const folder = await scratchFolder();
    const path = join(folder, 'a', 'b', 'graph.jsonl');
    const file = await openFile(path);
    expect(await file.all()).toEqual([]);
    expect(await readdir(folder)).toEqual([]);
    await file.create('A');
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect((await stat(join(folder, 'a'))).mode & 0o777).toBe(0o700);
    expect(await readdir(join(folder, 'a', 'b'))).toEqual(['graph.jsonl']);
  });

  test('entities come first, then relations, each in creation order, with one newline at the end', async () => {
    const path = await scratchFile();
    const file = await openFile(path);
    await file.create({ name: 'A', observations: ['x', 'y'] });
    await file.relate('A', 'B');
    await file.create('B');
    await file.relate('B', 'nobody');
    expect(await readFile(path, 'utf8')).toBe(
      `${entity('A', 'x', 'y')}\n${entity('B')}\n${relation('A', 'B')}\n${relation('B', 'nobody')}\n`,
    );
  });

  test('an empty graph is an empty file', async () => {
    const path = await scratchFile(entity('A'));
    const file = await openFile(path);
    await file.remove('A');
    expect(await readFile(path, 'utf8')).toBe('');
  });

  test('a write that changes nothing leaves the file alone', async () => {
    const path = await scratchFile(entity('A'));
    const before = await stat(path, { bigint: true });
    const file = await openFile(path);
    await file.create('A');
    await file.remove('nobody');
    expect((await stat(path, { bigint: true })).ino).toBe(before.ino);
  });

  test('a changed entity keeps its place; one deleted and created again goes to the end', async () => {
    const path = await scratchFile(entity('A'), entity('B'), relation('A', 'B'));
    const file = await openFile(path);
    await file.observe('A', 'x');
    expect(await linesOf(path)).toEqual([entity('A', 'x'), entity('B'), relation('A', 'B')]);
    await Promise.all([file.remove('A'), file.create('A')]);
    expect(await linesOf(path)).toEqual([entity('B'), entity('A')]);
  });

  test('repeated observations of a line are kept, and ordinals start at 1 in line order', async () => {
    const path = await scratchFile(entity('A', 'x', 'y', 'x'));
    const file = await openFile(path);
    await file.create('B');
    expect(await linesOf(path)).toEqual([entity('A', 'x', 'y', 'x'), entity('B')]);
    const ordinals = await file.store.read({ graph: 'default' }, async (reader) =>
      (await reader.observations()).map(({ ordinal, text }) => [ordinal, text]),
    );
    expect(ordinals).toEqual([
      [1, 'x'],
      [2, 'y'],
      [3, 'x'],
    ]);
  });

  test('deleting an entity removes the relations that touch it', async () => {
    const path = await scratchFile(
      entity('A'),
      entity('B'),
      relation('A', 'B'),
      relation('B', 'C'),
      relation('C', 'D'),
    );
    const file = await openFile(path);
    await file.remove('B');
    expect(await linesOf(path)).toEqual([entity('A'), relation('C', 'D')]);
  });

  test('relations to names that are no entities are kept, and an entity claims its name', async () => {
    const path = await scratchFile(relation('A', 'B'));
    const file = await openFile(path);
    expect(await file.all()).toEqual(['A -knows-> B']);
    await file.create('B');
    expect(await linesOf(path)).toEqual([entity('B'), relation('A', 'B')]);
  });

  test('a file keeps the format it has, and a new one takes the format asked for', async () => {
    const node = '{"type":"node","name":"A","nodeType":"thing","metadata":["x"]}';
    const path = await scratchFile(node);
    const file = await openFile(path);
    await file.create('B');
    await file.relate('A', 'B');
    expect(await linesOf(path)).toEqual([
      node,
      '{"type":"node","name":"B","nodeType":"thing","metadata":[]}',
      '{"type":"edge","from":"A","to":"B","edgeType":"knows","weight":1}',
    ]);
    const other = await scratchFile();
    await (await openFile(other, { newFileFormat: 'mesh' })).create('A');
    expect(await linesOf(other)).toEqual(['{"type":"node","name":"A","nodeType":"thing","metadata":[]}']);
  });

  test('both kinds of lines are read in any file', async () => {
    const path = await scratchFile(
      entity('A', 'x'),
      '{"type":"node","name":"B","nodeType":"t","metadata":["y"]}',
      '{"type":"edge","from":"A","to":"B","edgeType":"r","weight":0.25}',
    );
    const file = await openFile(path);
    expect(await file.all()).toEqual(['A: x', 'B: y', 'A -r-> B']);
  });

  test('unknown keys are kept when their line is written anew', async () => {
    const path = await scratchFile(
      '{"type":"entity","name":"A","entityType":"t","observations":[],"id":12345678901234567890}',
      '{"type":"relation","from":"A","to":"B","relationType":"r","since":{"year":1815},"weight":0.5}',
    );
    const file = await openFile(path);
    await file.observe('A', 'x');
    expect(await linesOf(path)).toEqual([
      '{"type":"entity","name":"A","entityType":"t","observations":["x"],"id":12345678901234567890}',
      '{"type":"relation","from":"A","to":"B","relationType":"r","since":{"year":1815},"weight":0.5}',
    ]);
    await file.create({ name: 'B', type: 't' });
    expect((await linesOf(path)).at(-1)).toContain('"weight":0.5');
  });

  test('weights, summaries, tags and properties come back after reopening', async () => {
    const path = await scratchFile(entity('A'), entity('B'));
    const file = await openFile(path);
    const { store } = file;
    await store.write({ graph: 'default' }, { actor: 'a', tool: 't' }, async (writer) => {
      const [a, b] = await writer.nodes();
      if (a === undefined || b === undefined) throw new Error('missing');
      await writer.putNodes([{ ...a, summary: 's', tags: ['red'], props: { born: 1815 } }]);
      const ends = { from: a.id, to: b.id, fromName: 'A', toName: 'B' };
      await writer.putEdges([{ ...ends, type: 'r', key: 'k', weight: 0.5, props: { since: '1840' } }]);
    });
    const again = (await openFile(path)).store;
    await again.read({ graph: 'default' }, async (reader) => {
      expect(await reader.nodesNamed(['A'])).toMatchObject([
        { summary: 's', tags: ['red'], props: { born: 1815 } },
      ]);
      expect(await reader.edges()).toMatchObject([{ key: 'k', weight: 0.5, props: { since: '1840' } }]);
    });
  });

  test('its mode is kept, and so is a symbolic link to it', async () => {
    const path = await scratchFile(entity('A'));
    await chmod(path, 0o640);
    const link = join(await scratchFolder(), 'link.jsonl');
    await symlink(path, link);
    const file = await openFile(link);
    await file.create('B');
    expect((await lstat(link)).isSymbolicLink()).toBe(true);
    expect(await linesOf(path)).toEqual([entity('A'), entity('B')]);
    expect((await stat(path)).mode & 0o777).toBe(0o640);
  });

  test('a symbolic link to a file that does not exist yet makes that file', async () => {
    const folder = await scratchFolder();
    await symlink('real.jsonl', join(folder, 'link.jsonl'));
    await (await openFile(join(folder, 'link.jsonl'))).create('A');
    expect(await linesOf(join(folder, 'real.jsonl'))).toEqual([entity('A')]);
    expect((await lstat(join(folder, 'link.jsonl'))).isSymbolicLink()).toBe(true);
  });

  test('what killed processes left beside it is cleared away by the first write', async () => {
    const path = await scratchFile(entity('A'));
    const left = [
      `${path}.999999999.0123456789abcdef.tmp`,
      `${path}.lock.0123456789abcdef`,
      `${path}.lock.12-34`,
    ];
    for (const name of left) await writeFile(name, 'left');
    await writeFile(`${path}.notes.tmp`, 'mine');
    await (await openFile(path)).create('B');
    expect((await readdir(join(path, '..'))).sort()).toEqual(['graph.jsonl', 'graph.jsonl.notes.tmp']);
  });

  test('one graph is all it holds', async () => {
    const { store } = await openFile(await scratchFile());
    expect(await store.graphs()).toMatchObject([{ name: 'default' }]);
    const import_ = expect.stringContaining('trellis import');
    await expect(store.createGraph('other')).rejects.toMatchObject({
      code: 'CAPABILITY_MISSING',
      hint: import_,
    });
    await expect(store.createGraph('default')).rejects.toMatchObject({ code: 'GRAPH_EXISTS' });
    await expect(store.createBranch('default', 'b')).rejects.toMatchObject({
      code: 'CAPABILITY_MISSING',
      hint: import_,
    });
    await expect(store.read({ graph: 'other' }, async () => 1)).rejects.toMatchObject({
      code: 'GRAPH_NOT_FOUND',
      hint: import_,
    });
    await expect(store.read({ graph: 'default', branch: 'b' }, async () => 1)).rejects.toMatchObject({
      code: 'BRANCH_NOT_FOUND',
    });
  });
});

describe('a legacy memory.json', () => {
  test('is renamed to the memory.jsonl that is asked for, with a word about it', async () => {
    const folder = await scratchFolder();
    await writeFile(join(folder, 'memory.json'), `${entity('A')}\n`);
    const file = await openFile(join(folder, 'memory.jsonl'));
    expect(await file.all()).toEqual(['A: ']);
    expect(await readdir(folder)).toEqual(['memory.jsonl']);
    expect(file.warnings).toEqual([expect.stringMatching(/renamed .*memory\.json to .*memory\.jsonl/)]);
  });

  test('is left alone beside a memory.jsonl, and beside a file of another name', async () => {
    const folder = await scratchFolder();
    await writeFile(join(folder, 'memory.json'), `${entity('old')}\n`);
    await openFile(join(folder, 'graph.jsonl'));
    expect(await readdir(folder)).toEqual(['memory.json']);
    await writeFile(join(folder, 'memory.jsonl'), `${entity('new')}\n`);
    const file = await openFile(join(folder, 'memory.jsonl'));
    expect(await file.all()).toEqual(['new: ']);
    expect(await linesOf(join(folder, 'memory.json'))).toEqual([entity('old')]);
  });
});

describe('changes by other programs', () => {
  const target = { graph: 'default' };
  const author = { actor: 'tester', tool: 'test' };
  const putThing = async (writer: Writer, name: string) => {
    const [identity] = await writer.addIdentities([{ type: 'thing', name }]);
    await writer.putNodes([{ id: identity?.node ?? 0, name, type: 'thing' }]);
  };

  test('are seen by the next read, and kept by the next write', async () => {
    const path = await scratchFile(entity('A', 'x'), entity('B'), relation('A', 'B'));
    const file = await openFile(path);
    await writeFile(path, `${[entity('A', 'y'), entity('C'), relation('A', 'C')].join('\n')}\n`);
    expect(await file.all()).toEqual(['A: y', 'C: ', 'A -knows-> C']);
    await writeFile(path, `${[entity('C', 'z'), entity('A', 'y')].join('\n')}\n`);
    await file.create('D');
    expect(await linesOf(path)).toEqual([entity('C', 'z'), entity('A', 'y'), entity('D')]);
    expect(await file.all()).toEqual(['C: z', 'A: y', 'D: ']);
  });

  test('an entity whose line goes while relations name it becomes a mere name, and comes back as another type', async () => {
    const path = await scratchFile(entity('A', 'x'), entity('B'), relation('A', 'B'));
    const file = await openFile(path);
    await writeFile(path, `${[entity('B'), relation('A', 'B')].join('\n')}\n`);
    expect(await file.all()).toEqual(['B: ', 'A -knows-> B']);
    const other = '{"type":"entity","name":"A","entityType":"other","observations":["z"]}';
    await writeFile(path, `${[entity('B'), other, relation('A', 'B')].join('\n')}\n`);
    expect(await file.all()).toEqual(['B: ', 'A: z', 'A -knows-> B']);
    await writeFile(path, `${[entity('B'), entity('A', 'w'), relation('A', 'B')].join('\n')}\n`);
    expect(await file.all()).toEqual(['B: ', 'A: w', 'A -knows-> B']);
    await file.observe('A', 'v');
    expect(await linesOf(path)).toEqual([entity('B'), entity('A', 'w', 'v'), relation('A', 'B')]);
  });

  test('an observation that stays keeps its ordinal', async () => {
    const path = await scratchFile(entity('A', 'x', 'y', 'z'));
    const file = await openFile(path);
    await file.all();
    await writeFile(path, `${entity('A', 'x', 'z', 'new')}\n`);
    const ordinals = await file.store.read({ graph: 'default' }, async (reader) =>
      (await reader.observations()).map(({ ordinal, text }) => `${ordinal} ${text}`),
    );
    expect(ordinals).toEqual(['1 x', '3 z', '4 new']);
  });

  test('a deleted file is an empty graph, with a warning', async () => {
    const path = await scratchFile(entity('A'));
    const file = await openFile(path);
    await rm(path);
    expect(await file.all()).toEqual([]);
    expect(file.warnings).toEqual([expect.stringContaining('was deleted')]);
    await file.create('B');
    expect(await linesOf(path)).toEqual([entity('B')]);
  });

  test('a directory that takes its place is an error that names it, until the file is back', async () => {
    const path = await scratchFile(entity('A'));
    const file = await openFile(path);
    await rename(path, `${path}.moved`);
    await mkdir(path);
    await expect(file.all()).rejects.toMatchObject({
      code: 'NOT_A_STORE',
      message: expect.stringContaining(path),
    });
    await expect(file.create('B')).rejects.toMatchObject({ code: 'NOT_A_STORE' });
    await rm(path, { recursive: true });
    await rename(`${path}.moved`, path);
    expect(await file.all()).toEqual(['A: ']);
  });

  test('in the very moment of a write are kept, and the write is done on top of them', async () => {
    const path = await scratchFile(entity('A'));
    const file = await openFile(path);
    let changed = false;
    await file.store.write(target, author, async (writer) => {
      if (!changed) await appendFile(path, `${entity('B', 'theirs')}\n`);
      changed = true;
      await putThing(writer, 'C');
    });
    expect(await linesOf(path)).toEqual([entity('A'), entity('B', 'theirs'), entity('C')]);
    expect(await file.all()).toEqual(['A: ', 'B: theirs', 'C: ']);
  });

  test('that never stop make a write fail, with nothing of it stored', async () => {
    const path = await scratchFile();
    const file = await openFile(path);
    let changes = 0;
    const write = file.store.write(target, author, async (writer) => {
      changes += 1;
      await writeFile(path, `${entity('A', String(changes))}\n`);
      await putThing(writer, 'C');
    });
    await expect(write).rejects.toMatchObject({ code: 'STORE_BUSY', message: expect.stringContaining(path) });
    expect(await linesOf(path)).toEqual([entity('A', String(changes))]);
    expect(await file.all()).toEqual([`A: ${changes}`]);
  });

  test('two stores on one file see each other’s writes', async () => {
    const path = await scratchFile();
    const [a, b] = [await openFile(path), await openFile(path)];
    await a.create('A');
    await b.create('B');
    expect(await a.all()).toEqual(['A: ', 'B: ']);
    await Promise.all([
      a.observe('A', '1'),
      b.observe('A', '2'),
      a.relate('A', 'B'),
      b.relate('B', 'A'),
      a.create('C'),
    ]);
    expect(await a.all()).toEqual(await b.all());
    expect((await a.all()).length).toBe(5);
    expect(await linesOf(path)).toHaveLength(5);
  });
});
