import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { lstat, mkdir, open, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { cliPath, useSandbox } from './run-cli.js';

const sandbox = useSandbox();
const memoryLines = [
  '{"type":"entity","name":"Ann","entityType":"person","observations":["Likes tea"]}',
  '{"type":"entity","name":"Bob","entityType":"person","observations":[]}',
  '{"type":"relation","from":"Ann","to":"Bob","relationType":"knows"}',
  '{"type":"relation","from":"Ann","to":"Nobody","relationType":"seeks","weight":0.5}',
];
const memoryFile = `${memoryLines.join('\n')}\n`;
const meshFile = [
  '{"type":"node","name":"Ann","nodeType":"person","metadata":["Likes tea"]}',
  '{"type":"node","name":"Bob","nodeType":"person","metadata":[]}',
  '{"type":"edge","from":"Ann","to":"Bob","edgeType":"knows","weight":1}',
  '{"type":"edge","from":"Ann","to":"Nobody","edgeType":"seeks","weight":0.5}',
  '',
].join('\n');

beforeEach(() => writeFile(sandbox.path('in.jsonl'), memoryFile));

describe.each(['s.db', 's.jsonl'])('with the store %s', (store) => {
  test('import then export gives the same file, and either format', async () => {
    const imported = await sandbox.run(['import', 'in.jsonl', '--store', store]);
    expect(imported).toMatchObject({ code: 0, stderr: '' });
    expect(imported.stdout).toContain('nodes: 2 created, 0 merged (0 observations added), 0 unchanged');
    expect(imported.stdout).toContain('edges: 2 created, 0 unchanged');
    const { code, stdout, stderr } = await sandbox.run(['export', '--store', store]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: memoryFile });
    expect(stderr).toContain('wrote 2 nodes and 2 edges to standard output');
    expect(stderr).toContain('history (commits and times) is left out');
    expect((await sandbox.run(['export', '-', '--store', store, '--format', 'mesh'])).stdout).toBe(meshFile);
  });

  test('names and types that are empty, as the reference server writes them, come in and go out', async () => {
    const lines = `${[
      '{"type":"entity","name":"","entityType":"","observations":["a",""]}',
      '{"type":"entity","name":"Ann","entityType":"","observations":[]}',
      '{"type":"relation","from":"","to":"Ann","relationType":""}',
    ].join('\n')}\n`;
    const imported = await sandbox.run(['import', '-', '--store', store], {}, lines);
    expect(imported).toMatchObject({ code: 0, stderr: '' });
    expect((await sandbox.run(['export', '--store', store])).stdout).toBe(lines);
  });

  test('importing again changes nothing', async () => {
    await sandbox.run(['import', 'in.jsonl', '--store', store]);
    const again = await sandbox.run(['import', 'in.jsonl', '--store', store, '--json']);
    expect(JSON.parse(again.stdout)).toEqual({
      file: sandbox.path('in.jsonl'),
      kind: 'memory',
      dry_run: false,
      nodes: 2,
      edges: 2,
      unreadable: [],
      unknown_keys: [],
      imported: {
        nodes_created: 0,
        nodes_merged: 0,
        nodes_unchanged: 2,
        observations_added: 0,
        edges_created: 0,
        edges_unchanged: 2,
      },
    });
  });

  test('--dry-run writes nothing', async () => {
    const { code, stdout } = await sandbox.run(['import', 'in.jsonl', '--store', store, '--dry-run']);
    expect(code).toBe(0);
    expect(stdout).toContain('has 2 nodes, 2 edges, 0 unreadable lines. Nothing was written.');
    expect(existsSync(sandbox.path(store))).toBe(false);
  });
});

describe('lines that cannot be read', () => {
  beforeEach(() =>
    writeFile(sandbox.path('bad.jsonl'), `${memoryLines[0]}\nnot json\n${memoryLines[1]}\n{"type":"x"}`),
  );

  test('stop an import before anything is written', async () => {
    const { code, stderr } = await sandbox.run(['import', 'bad.jsonl', '--store', 's.db']);
    expect(code).toBe(1);
    expect(stderr).toContain('line 2 is not JSON');
    expect(stderr).toContain('line 4 has a "type"');
    expect(stderr).toContain('2 lines of');
    expect(stderr).toContain('--skip-unreadable');
    expect(existsSync(sandbox.path('s.db'))).toBe(false);
  });

  test('are all listed by --dry-run, which then exits with 1', async () => {
    const { code, stdout } = await sandbox.run(['import', 'bad.jsonl', '--dry-run', '--json']);
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      dry_run: true,
      nodes: 2,
      unreadable: [
        { line: 2, reason: 'is not JSON' },
        { line: 4, reason: expect.any(String) },
      ],
    });
  });

  test('are passed over with --skip-unreadable', async () => {
    const { code, stderr } = await sandbox.run([
      'import',
      'bad.jsonl',
      '--store',
      's.db',
      '--skip-unreadable',
    ]);
    expect(code).toBe(0);
    expect(stderr).toContain('line 2 is not JSON');
    const { stdout } = await sandbox.run(['export', '--store', 's.db']);
    expect(stdout).toBe(`${memoryLines[0]}\n${memoryLines[1]}\n`);
  });
});

test('trust 26: export --dry-run says what would be written and left out, and writes nothing', async () => {
  await writeFile(sandbox.path('own.jsonl'), memoryFile);
  const flags = ['--file', 'own.jsonl', '--dry-run'];
  const dry = await sandbox.run(['export', 'new.jsonl', ...flags]);
  const wet = await sandbox.run(['export', 'written.jsonl', '--file', 'own.jsonl']);
  expect(dry).toMatchObject({ code: 0, stdout: '' });
  expect(dry.stderr).toBe(wet.stderr.replace('wrote', 'would write').replace('written.jsonl', 'new.jsonl'));
  await expect(stat(sandbox.path('new.jsonl'))).rejects.toThrow();
  expect((await sandbox.run(['export', ...flags])).stdout).toBe('');
  expect(JSON.parse((await sandbox.run(['export', ...flags, '--json'])).stdout)).toMatchObject({
    file: 'standard output',
    dry_run: true,
  });
  // What the real one would refuse is refused here.
  expect((await sandbox.run(['export', 'written.jsonl', ...flags])).stderr).toContain('already exists');
  expect((await sandbox.run(['export', 'written.jsonl', ...flags, '--force'])).code).toBe(0);
});

test('an export never replaces the store itself, nor what is no file, and goes through a link', async () => {
  const kept = `${memoryFile}{broken\n`;
  await writeFile(sandbox.path('own.jsonl'), kept);
  const own = await sandbox.run(['export', 'own.jsonl', '--file', 'own.jsonl', '--force']);
  expect(own.code).toBe(1);
  expect(own.stderr).toContain('is the store itself');
  expect(await readFile(sandbox.path('own.jsonl'), 'utf8')).toBe(kept);

  await mkdir(sandbox.path('folder'));
  const folder = await sandbox.run(['export', 'folder', '--file', 'own.jsonl', '--force']);
  expect(folder.stderr).toContain('not a regular file');

  await writeFile(sandbox.path('target.jsonl'), '');
  await symlink(sandbox.path('target.jsonl'), sandbox.path('link.jsonl'));
  expect((await sandbox.run(['export', 'link.jsonl', '--file', 'own.jsonl', '--force'])).code).toBe(0);
  expect((await lstat(sandbox.path('link.jsonl'))).isSymbolicLink()).toBe(true);
  expect(await readFile(sandbox.path('target.jsonl'), 'utf8')).toBe(memoryFile);
});

test('an exported file is for its owner alone and replaces another only with --force', async () => {
  await sandbox.run(['import', 'in.jsonl', '--store', 's.db']);
  expect((await sandbox.run(['export', 'out.jsonl', '--store', 's.db'])).code).toBe(0);
  expect((await stat(sandbox.path('out.jsonl'))).mode & 0o777).toBe(0o600);
  await writeFile(sandbox.path('out.jsonl'), 'precious');
  const refused = await sandbox.run(['export', 'out.jsonl', '--store', 's.db']);
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain('--force');
  expect(await readFile(sandbox.path('out.jsonl'), 'utf8')).toBe('precious');
  const forced = await sandbox.run(['export', 'out.jsonl', '--store', 's.db', '--force', '--json']);
  expect(JSON.parse(forced.stdout)).toMatchObject({ file: sandbox.path('out.jsonl'), nodes: 2, edges: 2 });
  expect(await readFile(sandbox.path('out.jsonl'), 'utf8')).toBe(memoryFile);
});

test('an export that fails leaves no file behind', async () => {
  const refused = await sandbox.run(['export', 'out.jsonl', '--store', 'none.db']);
  expect(refused).toMatchObject({ code: 1, stdout: '' });
  expect(existsSync(sandbox.path('out.jsonl'))).toBe(false);
  expect(existsSync(sandbox.path('none.db'))).toBe(false);
  await sandbox.run(['import', 'in.jsonl', '--store', 's.db']);
  const unwritable = await sandbox.run(['export', 'no/such/folder.jsonl', '--store', 's.db']);
  expect(unwritable.code).toBe(1);
  expect(unwritable.stderr).toContain('Cannot write');
});

test('import and export keep to the graph they are given', async () => {
  await sandbox.run(['graph', 'create', 'work']);
  await sandbox.run(['import', 'in.jsonl', '--graph', 'work']);
  expect((await sandbox.run(['export', '--graph', 'work'])).stdout).toBe(memoryFile);
  const missing = await sandbox.run(['import', 'in.jsonl', '--graph', 'other']);
  expect(missing.code).toBe(1);
  expect(missing.stderr).toContain('trellis graph create other');
});

test('keys that have no place in a graph are named', async () => {
  await writeFile(
    sandbox.path('more.jsonl'),
    '{"type":"entity","name":"A","entityType":"t","observations":[],"colour":1}',
  );
  const { stderr } = await sandbox.run(['import', 'more.jsonl']);
  expect(stderr).toContain('left out: colour');
});

test('a large file goes in and comes out unchanged', async () => {
  const entities = Array.from({ length: 5_000 }, (_, index) =>
    JSON.stringify({
      type: 'entity',
      name: `n${index}`,
      entityType: 't',
      observations: [`fact ${index}`, 'x'],
    }),
  );
  const relations = Array.from({ length: 5_000 }, (_, index) =>
    JSON.stringify({ type: 'relation', from: `n${index}`, to: `n${(index * 7) % 5_000}`, relationType: 'r' }),
  );
  const content = `${[...entities, ...relations].join('\n')}\n`;
  await writeFile(sandbox.path('large.jsonl'), content);
  expect((await sandbox.run(['import', 'large.jsonl', '--store', 's.db'])).code).toBe(0);
  expect((await sandbox.run(['export', '--store', 's.db'])).stdout === content).toBe(true);
});

describe('what comes through a pipe', () => {
  test('is imported like a file', async () => {
    const piped = await sandbox.run(['import', '-', '--store', 's.db'], {}, memoryFile);
    expect(piped).toMatchObject({ code: 0, stderr: '' });
    expect(piped.stdout).toContain('Imported standard input: 2 nodes, 2 edges');
    expect(piped.stdout).toContain('nodes: 2 created');
    expect((await sandbox.run(['export', '--store', 's.db'])).stdout).toBe(memoryFile);
  });

  test('is imported from a named pipe too', async () => {
    await promisify(execFile)('mkfifo', [sandbox.path('pipe')]);
    const [{ code, stdout }] = await Promise.all([
      sandbox.run(['import', 'pipe', '--store', 's.db']),
      writeFile(sandbox.path('pipe'), memoryFile),
    ]);
    expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining('nodes: 2 created') });
  });

  test('writes nothing if a line of it cannot be read', async () => {
    const { code, stderr } = await sandbox.run(['import', '-', '--store', 's.db'], {}, `${memoryFile}{`);
    expect(code).toBe(1);
    expect(stderr).toContain('1 line of standard input cannot be read; nothing was imported.');
    expect(existsSync(sandbox.path('s.db'))).toBe(false);
  });

  test('is not left lying about, whether the import ends or is interrupted', async () => {
    await mkdir(sandbox.path('tmp'));
    const tmp = { TMPDIR: sandbox.path('tmp') };
    await sandbox.run(['import', '-', '--store', 's.db'], tmp, memoryFile);
    expect(await readdir(sandbox.path('tmp'))).toEqual([]);

    const waiting = spawn(process.execPath, [cliPath, 'import', '-', '--store', 's.db'], {
      cwd: sandbox.folder,
      env: { ...sandbox.env, ...tmp },
    });
    await vi.waitUntil(async () => (await readdir(sandbox.path('tmp'))).length === 1, { timeout: 60_000 });
    waiting.kill('SIGINT');
    expect(await once(waiting, 'exit')).toEqual([null, 'SIGINT']);
    expect(await readdir(sandbox.path('tmp'))).toEqual([]);
  });
});

test('of many lines that cannot be read, the first are named, and what the file may be', async () => {
  await writeFile(sandbox.path('other.txt'), 'prose\n'.repeat(1_000));
  const { stderr } = await sandbox.run(['import', 'other.txt', '--store', 's.db']);
  expect(stderr).toContain('trellis: and 980 more lines; --json lists them all');
  expect(stderr).toContain('trellis ingest');
  expect(stderr.split('\n').length).toBeLessThan(30);
});

test('an interrupted export leaves nothing behind', async () => {
  const long = Array.from(
    { length: 4_000 },
    (_, n) => `{"type":"entity","name":"${n}","entityType":"t","observations":["${'x'.repeat(4_000)}"]}\n`,
  );
  await writeFile(sandbox.path('long.jsonl'), long.join(''));
  await mkdir(sandbox.path('out'));
  const args = ['export', 'out/copy.jsonl', '--file', 'long.jsonl'];
  const exporting = spawn(process.execPath, [cliPath, ...args], { cwd: sandbox.folder, env: sandbox.env });
  await vi.waitUntil(async () => (await readdir(sandbox.path('out'))).length === 1, {
    timeout: 60_000,
    interval: 1,
  });
  exporting.kill('SIGTERM');
  expect(await once(exporting, 'exit')).toEqual([null, 'SIGTERM']);
  expect(await readdir(sandbox.path('out'))).toEqual([]);
});

test('an export to a folder that is not there names the folder', async () => {
  const { code, stderr } = await sandbox.run(['export', 'nowhere/out.jsonl', '--file', 'in.jsonl']);
  expect(code).toBe(1);
  expect(stderr).toContain(`there is no folder ${sandbox.path('nowhere')}`);
});

test('standard output that takes no more is an error in words', async (context) => {
  // Only Linux has a device that is always full.
  if (!existsSync('/dev/full')) return context.skip();
  const full = await open('/dev/full', 'w');
  try {
    const exporting = spawn(process.execPath, [cliPath, 'export', '--file', 'in.jsonl'], {
      cwd: sandbox.folder,
      env: sandbox.env,
      stdio: ['ignore', full.fd, 'pipe'],
    });
    let stderr = '';
    exporting.stderr?.on('data', (text) => {
      stderr += text;
    });
    expect(await once(exporting, 'close')).toEqual([1, null]);
    expect(stderr).toMatch(/^trellis: Cannot write to standard output: ENOSPC/);
    expect(stderr).not.toContain(' at ');
  } finally {
    await full.close();
  }
});
