import { existsSync } from 'node:fs';
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import { beforeEach, expect, test } from 'vitest';
import { fixture } from '../import/imported.js';
import { useSandbox } from './run-cli.js';

const sandbox = useSandbox();
beforeEach(() => writeFile(sandbox.path('people.csv'), 'title,boss,notes\nAnn,Bob,tea\nBob,,\n'));

test('the guess for a table is shown first, and --map corrects it', async () => {
  const dry = await sandbox.run(['import', 'people.csv', '--dry-run']);
  expect(dry).toMatchObject({ code: 0, stdout: expect.stringContaining('(csv) has 2 nodes, 0 edges') });
  expect(dry.stderr).toBe('trellis: people.csv: title=name, boss=prop, notes=observation\n');
  expect(existsSync(sandbox.path('data'))).toBe(false);
  const wet = await sandbox.run([
    ...['import', '--map', 'boss=edge:reports_to', '--map', 'notes=summary', 'people.csv', '--store', 's.db'],
  ]);
  expect(wet.stdout).toContain('2 nodes, 1 edge');
  expect((await sandbox.run(['get', 'Ann', '--store', 's.db'])).stdout).toContain('--reports_to--> Bob');
});

test('a mapping that cannot be is refused before anything is written', async () => {
  const wrong = [
    [['people.csv', '--map', 'bos=name'], 'Did you mean "boss"?'],
    [['people.csv', '--map', 'boss=nonsense'], 'Write COLUMN=FIELD'],
    [[fixture('claude.json'), '--map', 'boss=name'], '--map is for tables'],
    [['people.csv', '--from', 'nonsense'], 'Use one of: memory, csv, json'],
  ] as const;
  for (const [args, message] of wrong) {
    const { code, stderr } = await sandbox.run(['import', ...args, '--store', 's.db']);
    expect({ code: code === 0 ? 0 : 1, stderr }).toEqual({
      code: 1,
      stderr: expect.stringContaining(message),
    });
  }
  expect(existsSync(sandbox.path('s.db'))).toBe(false);
});

test('a time without a zone is UTC wherever the import runs, and a summary of the client is no turn', async () => {
  const line = (content: string, more: object = {}) =>
    `${JSON.stringify({ sessionId: 's', type: 'user', timestamp: '2026-01-02 10:00:00', message: { content }, ...more })}\n`;
  await writeFile(sandbox.path('s.jsonl'), line('Hello') + line('Summary', { isCompactSummary: true }));
  const zone = { TZ: 'America/New_York' };
  expect((await sandbox.runProcess(['import', 's.jsonl', '--store', 's.db'], zone)).code).toBe(0);
  const { stdout } = await sandbox.run(['export', '-', '--store', 's.db']);
  expect(JSON.parse(stdout).observations).toEqual(['2026-01-02T10:00:00.000Z user: Hello']);
});

test('--from reads what comes through a pipe, which has no name', async () => {
  const piped = await sandbox.run(['import', '-', '--from', 'csv', '--store', 's.db'], {}, 'name\nAnn\n');
  expect(piped.stdout).toContain('Imported standard input (csv): 1 node');
});

test('a part of a folder that cannot be read stops the import, with its file and line', async () => {
  await mkdir(sandbox.path('vault'));
  await writeFile(sandbox.path('vault/Good.md'), 'good');
  await writeFile(sandbox.path('vault/Bad.md'), '---\na: [\n---\nx');
  await writeFile(sandbox.path('vault/photo.png'), 'x');
  const refused = await sandbox.run(['import', 'vault', '--store', 's.db']);
  expect(refused).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/Bad\.md line \d has front matter/),
  });
  expect(existsSync(sandbox.path('s.db'))).toBe(false);
  const skipped = await sandbox.run(['import', 'vault', '--store', 's.db', '--skip-unreadable', '--json']);
  expect(JSON.parse(skipped.stdout)).toMatchObject({
    ...{ kind: 'markdown', nodes: 1, other_files: 1 },
    unreadable: [{ file: 'Bad.md', line: expect.any(Number), reason: expect.any(String) }],
  });
});

test('what has to be unpacked first is named', async () => {
  await writeFile(sandbox.path('e.zip'), Buffer.from('PK\u0003\u0004rest'));
  await writeFile(sandbox.path('e.gz'), gzipSync('x'));
  await sandbox.run(['import', 'people.csv', '--store', 's.db']);
  for (const [file, message] of [
    ['e.zip', 'is a zip archive'],
    ['e.gz', 'compressed with gzip'],
    ['s.db', 'is a SQLite database'],
  ] as const)
    expect((await sandbox.run(['import', file])).stderr).toContain(message);
});

test('a vault goes out and comes back the same', async () => {
  await cp(fixture('mempalace'), sandbox.path('palace'), { recursive: true });
  for (const source of ['palace', 'people.csv']) await sandbox.run(['import', source, '--store', 'a.db']);
  await sandbox.run(['export', 'notes', '--format', 'markdown', '--store', 'a.db']);
  await sandbox.run(['import', 'notes', '--store', 'b.db']);
  const lines = async (store: string) =>
    (await sandbox.run(['export', '--store', store])).stdout.split('\n').sort();
  expect(await lines('b.db')).toEqual(await lines('a.db'));
});

test('into a JSON lines store, which keeps no provenance, an import can be repeated too', async () => {
  const args = ['import', 'people.csv', '--map', 'boss=edge:reports_to', '--store', 's.jsonl'];
  expect((await sandbox.run(args)).stdout).toContain('nodes: 2 created');
  const before = await readFile(sandbox.path('s.jsonl'), 'utf8');
  expect((await sandbox.run(args)).stdout).toContain('0 merged (0 observations added), 2 unchanged');
  expect(await readFile(sandbox.path('s.jsonl'), 'utf8')).toBe(before);
});
