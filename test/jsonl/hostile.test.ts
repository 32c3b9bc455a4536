import { execFileSync, spawnSync } from 'node:child_process';
import { chmod, chown, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { entity, linesOf, openFile, relation, scratchFile, scratchFolder } from './scratch-file.js';

const badLines = [
  'not JSON at all',
  '["an","array"]',
  '{"type":"thing","name":"A"}',
  '{"type":"entity","name":"no observations","entityType":"t"}',
  '{"type":"entity","name":"half \\ud800","entityType":"t","observations":[]}',
  '{"type":"entity","name":"nul \\u0000","entityType":"t","observations":[]}',
  `${'['.repeat(100_000)}${']'.repeat(100_000)}`,
  '{"type":"entity","name":"A","entityType":"the name is taken","observations":[]}',
  '{"type":"relation","from":"A","to":"B","relationType":"knows","note":"the relation is taken"}',
];

describe('lines that cannot be used', () => {
  test('are left out with a warning each, and written back byte for byte after the relations', async () => {
    const path = await scratchFile(
      ...badLines.slice(0, 3),
      entity('A'),
      relation('A', 'B'),
      ...badLines.slice(3),
    );
    const file = await openFile(path);
    expect(await file.all()).toEqual(['A: ', 'A -knows-> B']);
    expect(file.warnings).toHaveLength(badLines.length);
    expect(file.warnings[0]).toBe(
      `${path}:1: the line is not JSON; it is left out of the graph and kept in the file`,
    );
    expect(file.warnings[3]).toContain(`${path}:6: `);
    await file.create('C');
    await file.create('D');
    expect(await linesOf(path)).toEqual([
      entity('A'),
      entity('C'),
      entity('D'),
      relation('A', 'B'),
      ...badLines,
    ]);
    expect(file.warnings).toHaveLength(badLines.length);
    // The last two repeat what is there: that is no damage.
    expect(await file.store.check()).toHaveLength(badLines.length - 2);
    expect((await file.store.check())[0]).toBe(`${path}:5: the line is not JSON`);
  });

  test('a thousand of them are not a thousand warnings', async () => {
    const path = await scratchFile(...Array.from({ length: 1000 }, (_, index) => `junk ${index}`));
    const file = await openFile(path);
    expect(file.warnings).toHaveLength(21);
    expect(await file.store.check()).toHaveLength(1000);
  });

  test('bytes that are no UTF-8 are kept as they are', async () => {
    const path = await scratchFile();
    const junk = Buffer.from([0x7b, 0xff, 0xfe, 0x00, 0x0d, 0x80]);
    await writeFile(path, Buffer.concat([junk, Buffer.from(`\n${entity('A')}\n`)]));
    const file = await openFile(path);
    await file.create('B');
    expect(await readFile(path)).toEqual(
      Buffer.concat([Buffer.from(`${entity('A')}\n${entity('B')}\n`), junk, Buffer.from('\n')]),
    );
  });

  test('a torn last line is kept, and what is written later does not run into it', async () => {
    const path = await scratchFile();
    await writeFile(path, `${entity('A')}\n{"type":"entity","name":"to`);
    const file = await openFile(path);
    await file.create('B');
    expect(await linesOf(path)).toEqual([entity('A'), entity('B'), '{"type":"entity","name":"to']);
  });

  test('deleting an entity deletes the lines that repeat it, so that it does not come back', async () => {
    const path = await scratchFile(
      entity('A', 'x'),
      entity('A', 'y'),
      relation('A', 'B'),
      relation('A', 'B'),
      'junk',
    );
    const file = await openFile(path);
    await file.remove('A');
    expect(await linesOf(path)).toEqual(['junk']);
    expect(await (await openFile(path)).all()).toEqual([]);
  });

  test('a name that stands on several lines is one entity with the observations of all', async () => {
    const lines = [entity('A', 'x'), entity('B'), entity('A', 'y', 'x', 'y'), entity('A', 'z')];
    const path = await scratchFile(...lines);
    const file = await openFile(path);
    expect(await file.all()).toEqual(['A: x, y, z', 'B: ']);
    expect(file.warnings).toEqual([
      `${path}:3: the line repeats the name "A"; its observations are added to that node; the line is kept in the file`,
      `${path}:4: the line repeats the name "A"; its observations are added to that node; the line is kept in the file`,
    ]);
    await file.observe('B', 'b');
    expect(await linesOf(path)).toEqual([entity('A', 'x'), entity('B', 'b'), ...lines.slice(2)]);

    await writeFile(path, `${[entity('A', 'x'), entity('B', 'b'), entity('A', 'z', 'v')].join('\n')}\n`);
    expect(await file.all()).toEqual(['A: x, z, v', 'B: b']);
    await writeFile(path, `${[entity('A', 'x'), entity('B', 'b')].join('\n')}\n`);
    expect(await file.all()).toEqual(['A: x', 'B: b']);
  });

  test('an observation that is deleted does not come back from a line that repeats its entity', async () => {
    const path = await scratchFile(entity('A', 'x'), entity('A', 'y', 'z'), entity('A', 'w'), 'junk');
    const file = await openFile(path);
    await file.forget('A', 'y');
    expect(await linesOf(path)).toEqual([entity('A', 'x', 'z', 'w'), entity('A', 'w'), 'junk']);
    expect(await (await openFile(path)).all()).toEqual(['A: x, z, w']);
  });

  test('CRLF, blank lines and a byte order mark are read', async () => {
    const path = await scratchFile();
    await writeFile(path, `\ufeff${entity('A')}\r\n\r\n${relation('A', 'B')}\r\n`);
    const file = await openFile(path);
    expect(await file.all()).toEqual(['A: ', 'A -knows-> B']);
    expect(file.warnings).toEqual([]);
    await file.observe('A', 'x');
    expect(await linesOf(path)).toEqual([entity('A', 'x'), relation('A', 'B')]);
  });

  test('__proto__ is a name like any other', async () => {
    const path = await scratchFile(
      entity('__proto__', 'x'),
      relation('__proto__', 'constructor', 'toString'),
    );
    const file = await openFile(path);
    await file.observe('__proto__', 'y');
    await file.create('constructor');
    expect(await file.all()).toEqual([
      '__proto__: x, y',
      'constructor: ',
      '__proto__ -toString-> constructor',
    ]);
    expect(await (await openFile(path)).all()).toEqual(await file.all());
  });

  test('a line of 10 MB is read and written', async () => {
    const long = 'x'.repeat(10 * 1024 * 1024);
    const path = await scratchFile(entity('A', long), `{"broken":"${long}`);
    const file = await openFile(path);
    await file.observe('A', 'y');
    expect(await linesOf(path)).toEqual([entity('A', long, 'y'), `{"broken":"${long}`]);
  });

  test('JSON nested 100,000 deep under an unknown key is kept', async () => {
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    const line = (facts: string) =>
      `{"type":"entity","name":"A","entityType":"t","observations":[${facts}],"deep":${deep}}`;
    const path = await scratchFile(line(''));
    const file = await openFile(path);
    await file.create('B');
    if (file.warnings.length > 0) expect((await linesOf(path)).at(-1)).toBe(line(''));
    else {
      await file.observe('A', 'x');
      expect((await linesOf(path))[0]).toBe(line('"x"'));
    }
  });
});

describe('places that cannot be written', () => {
  test('a directory in the file’s place is named in the error', async () => {
    const path = await scratchFile();
    await mkdir(path);
    await expect(openFile(path)).rejects.toMatchObject({
      code: 'NOT_A_STORE',
      message: expect.stringContaining(`${path} is a directory`),
    });
  });

  test('a pipe in the file’s place does not hang', async () => {
    const path = await scratchFile();
    execFileSync('mkfifo', [path]);
    await expect(openFile(path)).rejects.toMatchObject({ code: 'NOT_A_STORE' });
  });

  test('a file among the parent folders is an error', async () => {
    const path = await scratchFile(entity('A'));
    await expect(openFile(join(path, 'graph.jsonl'))).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
  });

  test('a read-only file can be read, and a write says why it fails', async () => {
    const path = await scratchFile(entity('A'));
    const file = await openFile(path);
    await chmod(path, 0o400);
    await expect(file.create('B')).rejects.toMatchObject({
      code: 'STORE_READ_ONLY',
      message: expect.stringContaining(path),
    });
    expect(await file.all()).toEqual(['A: ']);
    expect(await linesOf(path)).toEqual([entity('A')]);
    expect(await readdir(join(path, '..'))).toEqual(['graph.jsonl']);
    await chmod(path, 0o600);
    await file.create('B');
    expect(await file.all()).toEqual(['A: ', 'B: ']);
  });

  test('a folder that may not be written: reads work, a write says why it fails', async (context) => {
    const nobody = 65534;
    const folder = await scratchFolder();
    const path = join(folder, 'graph.jsonl');
    await writeFile(path, `${entity('A')}\n`);
    if (process.getuid?.() !== 0) {
      await chmod(folder, 0o500);
      onTestFinished(() => chmod(folder, 0o700));
      return expectReadOnly(path);
    }
    // Permissions do not bind root, so the store runs as nobody, in a process of its own.
    const dist = resolve('dist/store/jsonl/jsonl-store.js');
    if (spawnSync('setpriv', ['--version']).status !== 0 || !(await exists(dist))) {
      return context.skip('runs as root without setpriv or without a build');
    }
    await chown(path, nobody, nobody);
    await chmod(folder, 0o755);
    const program = `
      import { openJsonlStore } from ${JSON.stringify(dist)};
      const store = await openJsonlStore(${JSON.stringify(path)});
      const count = await store.read({ graph: 'default' }, async (reader) => (await reader.nodes()).length);
      const add = (writer) => writer.addIdentities([{ type: 't', name: 'B' }]).then(([b]) => writer.putNodes([{ ...b, id: b.node }]));
      const code = await store.write({ graph: 'default' }, { actor: 'a', tool: 't' }, add).then(() => 'written', (error) => error.code);
      console.log(count, code);
    `;
    const asNobody = ['--reuid', `${nobody}`, '--regid', `${nobody}`, '--clear-groups'];
    const ran = spawnSync('setpriv', [...asNobody, process.execPath, '--input-type=module', '-e', program]);
    if (ran.status !== 0) return context.skip(`nobody cannot run it here: ${ran.stderr}`);
    expect(ran.stdout.toString()).toBe('1 STORE_READ_ONLY\n');
    expect(await linesOf(path)).toEqual([entity('A')]);
  });

  async function expectReadOnly(path: string) {
    const file = await openFile(path);
    await expect(file.create('B')).rejects.toMatchObject({ code: 'STORE_READ_ONLY' });
    expect(await file.all()).toEqual(['A: ']);
  }

  test('a full disk: the write fails, nothing has changed, and it works again when there is room', async (context) => {
    const folder = await scratchFolder();
    const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=256k', 'tmpfs', folder]);
    if (mounted.status !== 0) return context.skip(`cannot mount a small disk: ${mounted.stderr}`);
    onTestFinished(() => void spawnSync('umount', ['-l', folder]));
    const path = join(folder, 'graph.jsonl');
    const file = await openFile(path);
    await file.create({ name: 'A', observations: ['x'.repeat(60_000)] });
    const before = await readFile(path);
    const full = file.observe('A', 'y'.repeat(150_000));
    await expect(full).rejects.toMatchObject({ code: 'STORE_FULL', message: expect.stringContaining(path) });
    expect(await readFile(path)).toEqual(before);
    expect(await readdir(folder)).toEqual(['graph.jsonl']);
    expect(await file.all()).toEqual([`A: ${'x'.repeat(60_000)}`]);
    await file.observe('A', 'z');
    expect(await (await openFile(path)).all()).toEqual([`A: ${'x'.repeat(60_000)}, z`]);
  });

  test('a file that is mounted by itself can be read, and a write says how to mount it', async (context) => {
    const path = await scratchFile(entity('A'));
    const outside = await scratchFile(entity('B'));
    const mounted = spawnSync('mount', ['--bind', outside, path]);
    if (mounted.status !== 0) return context.skip(`cannot mount a file: ${mounted.stderr}`);
    onTestFinished(() => void spawnSync('umount', ['-l', path]));
    const file = await openFile(path);
    await expect(file.create('C')).rejects.toMatchObject({
      code: 'STORE_UNAVAILABLE',
      message: expect.stringContaining('the file itself is a mount'),
      hint: expect.stringContaining('mount the folder'),
    });
    expect(await file.all()).toEqual(['B: ']);
    expect(await linesOf(outside)).toEqual([entity('B')]);
    expect(await readdir(dirname(path))).toEqual([basename(path)]);
  });

  test('of writes that fail together, none remains', async () => {
    const path = await scratchFile(entity('A'));
    const file = await openFile(path);
    await chmod(path, 0o400);
    const results = await Promise.allSettled([
      file.create('B'),
      file.observe('A', 'x'),
      file.relate('A', 'B'),
    ]);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    expect(await file.all()).toEqual(['A: ']);
    await chmod(path, 0o600);
    await file.create('C');
    expect(await linesOf(path)).toEqual([entity('A'), entity('C')]);
  });
});

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
