import { existsSync } from 'node:fs';
import { chmod, mkdir, open, readFile, symlink, writeFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { removeGraph } from '../../src/store/sql/delete-graph.js';
import { SqliteConnection } from '../../src/store/sqlite/sqlite-connection.js';
import { writeTransaction } from '../../src/store/sqlite/transaction.js';
import { callLines, useSandbox } from './run-cli.js';

const sandbox = useSandbox();
const create = callLines('create_entities', {
  entities: [{ name: 'Ann', entityType: 'person', observations: ['a', 'b'] }],
});

test('before the first start it says where the data will be, and makes nothing', async () => {
  const { code, stdout } = await sandbox.run(['doctor']);
  expect(code).toBe(0);
  expect(stdout).toContain(sandbox.path('data', 'trellis', 'trellis.db'));
  expect(stdout).toContain('Nothing is stored there yet');
  expect(existsSync(sandbox.path('data'))).toBe(false);
});

test('an empty file in the place of a database stays empty', async () => {
  const path = sandbox.path('empty.db');
  await writeFile(path, '', { mode: 0o600 });
  const { code, stdout } = await sandbox.run(['doctor', '--store', 'empty.db']);
  expect(code).toBe(0);
  expect(stdout).toContain('0 bytes');
  expect(await readFile(path, 'utf8')).toBe('');
});

test('for people it is short: versions, settings with their sources, the data, the verdict', async () => {
  await sandbox.run(['stdio'], {}, create);
  const { code, stdout, stderr } = await sandbox.run(['doctor'], { TRELLIS_SERVER_PORT: '9000' });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatch(/^trellis \S+, node \S+, SQLite \S+ \(\S+\)\n/);
  expect(stdout).toContain('trellis.db  (default)');
  expect(stdout).toContain('127.0.0.1:9000  (default, TRELLIS_SERVER_PORT)');
  expect(stdout).toContain('mode 0600, in a folder of mode 0700');
  expect(stdout).toContain('default: 1 node, 2 observations, 0 edges');
  expect(stdout).toContain('No damage was found.');
  expect(stdout.split('\n').length).toBeLessThan(20);
});

test('for programs it is JSON', async () => {
  await sandbox.run(['stdio', '--store', 'a.db'], {}, create);
  const { stdout } = await sandbox.run(['doctor', '--json', '--store', 'a.db']);
  expect(JSON.parse(stdout)).toMatchObject({
    ok: true,
    versions: {
      node: process.versions.node,
      sqlite: expect.stringMatching(/^3\./),
      binding: expect.any(String),
    },
    settings: {
      store: { value: sandbox.path('a.db'), source: '--store' },
      graph: { value: 'default', source: 'default' },
      server_port: { value: 8765, source: 'default' },
    },
    data: {
      exists: true,
      kind: 'sqlite',
      mode: '0600',
      graphs: [{ name: 'default', nodes: 1, observations: 2, edges: 0 }],
    },
    problems: [],
  });
});

test('a file that others can read is a warning, with the command that mends it', async () => {
  await sandbox.run(['stdio', '--store', 'a.db'], {}, create);
  await chmod(sandbox.path('a.db'), 0o644);
  const { code, stdout } = await sandbox.run(['doctor', '--store', 'a.db']);
  expect(code).toBe(0);
  expect(stdout).toContain(
    `warning: Others on this machine can reach the data. Run: chmod 600 ${sandbox.path('a.db')}`,
  );
});

test('what cannot be stored in is said, before the first start as well as after', async () => {
  await symlink('loop.jsonl', sandbox.path('loop.jsonl'));
  const loop = await sandbox.run(['doctor', '--file', 'loop.jsonl']);
  expect({ code: loop.code, stdout: loop.stdout }).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(/problem: Cannot read .*loop.jsonl: ELOOP/),
  });

  await writeFile(sandbox.path('plain'), '');
  for (const place of [
    ['--file', 'plain/memory.jsonl'],
    ['--store', 'plain/memory.db'],
  ]) {
    const below = await sandbox.run(['doctor', ...place]);
    expect(below.code).toBe(1);
    expect(below.stdout).not.toContain('Nothing is stored there yet');
    expect(below.stdout).toContain(`problem: Cannot create the folder ${sandbox.path('plain')}`);
  }

  const unknown = await sandbox.run(['doctor', '--store', 'memory.txt']);
  expect(unknown.code).toBe(1);
  expect(unknown.stdout).toContain('problem: Cannot tell what kind of store');

  await sandbox.run(['stdio', '--store', 'a.jsonl'], {}, create);
  await chmod(sandbox.path('a.jsonl'), 0o444);
  const marked = await sandbox.run(['doctor', '--store', 'a.jsonl']);
  expect(marked.stdout).toContain(
    `warning: Reading works, but nothing can be stored: this user may not write ${sandbox.path('a.jsonl')}.`,
  );
});

test('what is no file is named, and nobody is told to change its mode', async () => {
  await mkdir(sandbox.path('folder.jsonl'), { mode: 0o755 });
  const { code, stdout } = await sandbox.run(['doctor', '--file', 'folder.jsonl']);
  expect(code).toBe(1);
  expect(stdout).toContain('is a directory');
  expect(stdout).not.toContain('chmod');
});

test('a memory.json that is about to be renamed is pointed at, and left alone', async () => {
  await writeFile(sandbox.path('memory.json'), '');
  const { code, stdout } = await sandbox.run(['doctor', '--file', 'memory.jsonl']);
  expect(code).toBe(0);
  expect(stdout).toContain(
    `warning: The first start renames ${sandbox.path('memory.json')} to ${sandbox.path('memory.jsonl')}.`,
  );
  expect(existsSync(sandbox.path('memory.json'))).toBe(true);
});

test('unreadable lines are listed, and something is wrong', async () => {
  await writeFile(
    sandbox.path('a.jsonl'),
    '{"type":"entity","name":"A","entityType":"t","observations":[]}\noops\n',
  );
  const { code, stdout } = await sandbox.run(['doctor', '--file', 'a.jsonl']);
  expect(code).toBe(1);
  expect(stdout).toContain(`problem: ${sandbox.path('a.jsonl')}:2: the line is not JSON`);
  expect(stdout).not.toContain(`warning: ${sandbox.path('a.jsonl')}`);
  expect(stdout).toContain('until you fix or delete them in an editor');
  expect(stdout).toContain('default: 1 node');
});

test('a file that is no database is wrong', async () => {
  await writeFile(
    sandbox.path('a.db'),
    'This is no database, and long enough not to be taken for an empty one.'.repeat(20),
  );
  const { code, stdout } = await sandbox.run(['doctor', '--store', 'a.db', '--json']);
  expect(code).toBe(1);
  expect(JSON.parse(stdout)).toMatchObject({
    ok: false,
    problems: [expect.stringContaining('not a Trellis database')],
  });
});

test('damage is found', async () => {
  const many = Array.from({ length: 300 }, (_, index) => ({
    name: `n${index}`,
    entityType: 't',
    observations: ['x'.repeat(300)],
  }));
  await sandbox.run(['stdio', '--store', 'a.db'], {}, callLines('create_entities', { entities: many }));
  const file = await open(sandbox.path('a.db'), 'r+');
  const { size } = await file.stat();
  await file.write(Buffer.alloc(size / 2, 0x5a), 0, size / 2, Math.floor(size / 4));
  await file.close();
  const { code, stdout } = await sandbox.run(['doctor', '--store', 'a.db']);
  expect(code).toBe(1);
  expect(stdout).toContain('problem: ');
});

test('a graph that is asked for but not there is a problem', async () => {
  await sandbox.run(['stdio', '--store', 'a.db'], {}, create);
  const { code, stdout } = await sandbox.run(['doctor', '--store', 'a.db'], { TRELLIS_GRAPH: 'work' });
  expect(code).toBe(1);
  expect(stdout).toContain('There is no graph work (TRELLIS_GRAPH)');
  const [, made = ''] = stdout.match(/with: trellis (.+)/) ?? [];
  expect(made).toBe(`graph create work --store ${sandbox.path('a.db')}`);
  // Copied as it stands, it makes the graph where doctor looked.
  expect((await sandbox.run(made.split(' '))).code).toBe(0);
  expect((await sandbox.run(['doctor', '--store', 'a.db'], { TRELLIS_GRAPH: 'work' })).code).toBe(0);
});

test('a file of JSON lines holds one graph, so doctor does not say how to make another', async () => {
  await sandbox.run(['stdio', '--file', 'a.jsonl'], {}, create);
  const { stdout } = await sandbox.run(['doctor', '--file', 'a.jsonl'], { TRELLIS_GRAPH: 'work' });
  expect(stdout).toContain('holds only the graph default');
  expect(stdout).not.toContain('graph create');
});

test('broken schema files of every folder that is configured are named, and files that are not there', async () => {
  await writeFile(
    sandbox.path('trellis.yaml'),
    'schemas: ./all\nauth: { tokens: { file: t.json } }\ngraphs: { work: { schemas: ./own } }\n',
  );
  for (const folder of ['all', 'own']) await mkdir(sandbox.path(folder));
  await writeFile(sandbox.path('all', 'npc.schema.json'), '{');
  await writeFile(sandbox.path('own', 'task.schema.json'), '{"name": "add_task"}');
  const { code, stdout } = await sandbox.run(['doctor']);
  expect(code).toBe(1);
  expect(stdout).toContain(`problem: ${sandbox.path('all', 'npc.schema.json')}`);
  expect(stdout).toContain(`problem: ${sandbox.path('own', 'task.schema.json')}`);
  expect(stdout).toContain(`warning: ${sandbox.path('t.json')} does not exist (trellis.yaml:2)`);
});

test('schema files that can be used are no problem', async () => {
  await sandbox.run(['init', '--schemas', 'work']);
  const { code, stdout } = await sandbox.run(['doctor', '--schemas', 'schemas']);
  expect({ code, problems: stdout.includes('problem:') }).toEqual({ code: 0, problems: false });
});

test('of a database that does not answer it says that alone', async () => {
  const { code, stdout } = await sandbox.run(['doctor', '--store', 'postgres://127.0.0.1:1/memory']);
  expect(code).toBe(1);
  expect(stdout).toContain('problem: PostgreSQL does not respond');
  expect(stdout).not.toContain('The data:');
});

test('trust 38: a store without a graph default is healthy; one that lacks the graph asked for is not', async () => {
  await sandbox.run(['graph', 'create', 'one', '--store', 'team.db']);
  const { code, stdout } = await sandbox.run(['doctor', '--store', 'team.db']);
  expect(code).toBe(0);
  expect(stdout).toContain('No damage was found.');
  expect(stdout).not.toMatch(/There is no graph/);
  const asked = await sandbox.run(['doctor', '--store', 'team.db', '--graph', 'two']);
  expect(asked.code).toBe(1);
  expect(asked.stdout).toContain('problem: There is no graph two (--graph)');
});

test('trust 38: what a memory file says twice is a note; what cannot be read stays a problem', async () => {
  const line = (observations: string[]) =>
    JSON.stringify({ type: 'entity', name: 'Ann', entityType: 'person', observations });
  const relation = JSON.stringify({ type: 'relation', from: 'Ann', to: 'Ann', relationType: 'knows' });
  const lines = [line(['a']), line(['a', 'b']), relation, relation];
  await writeFile(sandbox.path('m.jsonl'), `${lines.join('\n')}\n`, { mode: 0o600 });
  const { code, stdout } = await sandbox.run(['doctor', '--file', 'm.jsonl']);
  expect(code).toBe(0);
  const path = sandbox.path('m.jsonl');
  expect(
    stdout.split('\n').filter((one) => /^(note|warning|problem)/.test(one) && one.includes(path)),
  ).toEqual([
    `note: ${path}: 2 lines repeat earlier ones (2, 4). Nothing is lost: observations are added to the same node, and a repeated relation counts once.`,
  ]);
  expect(stdout).toContain('No damage was found.');
  await writeFile(path, `${[...lines, '{broken'].join('\n')}\n`);
  const broken = await sandbox.run(['doctor', '--file', 'm.jsonl', '--json']);
  expect(broken.code).toBe(1);
  expect(JSON.parse(broken.stdout)).toMatchObject({
    ok: false,
    problems: [expect.stringContaining('m.jsonl:5')],
    notes: [expect.stringContaining('2 lines repeat earlier ones'), expect.stringContaining('in an editor')],
  });
});

test('trust 38: a damaged database is not told to run doctor', async () => {
  await sandbox.run(['stdio', '--store', 'a.db'], {}, create);
  const path = sandbox.path('a.db');
  const bytes = await readFile(path);
  // All pages but the first, which says that it is a database.
  await writeFile(path, Buffer.concat([bytes.subarray(0, 4096), Buffer.alloc(bytes.length - 4096, 0x5a)]));
  const { code, stdout } = await sandbox.run(['doctor', '--store', 'a.db']);
  expect(code).toBe(1);
  expect(stdout).toMatch(/problem: .*(damaged|malformed)/);
  expect(stdout).not.toMatch(/run trellis doctor/i);
  const other = await sandbox.run(['log', '--store', 'a.db']);
  expect(other.stderr).toContain('restore a backup');
  expect(other.stderr).not.toMatch(/run trellis doctor/i);
});

test('thousands of duplicates in a memory file are one note, and doctor does not say to run doctor', async () => {
  const lines = Array.from({ length: 3000 }, (_, index) =>
    JSON.stringify({ type: 'entity', name: 'Ann', entityType: 'person', observations: [`${index}`] }),
  );
  await writeFile(sandbox.path('m.jsonl'), `${lines.join('\n')}\n`, { mode: 0o600 });
  const { code, stdout } = await sandbox.run(['doctor', '--file', 'm.jsonl']);
  expect(code).toBe(0);
  expect(stdout.split('\n').filter((line) => /^(note|warning|problem|and )/.test(line))).toEqual([
    expect.stringContaining('m.jsonl: 2999 lines repeat earlier ones (2, 3, 4, 5, 6, …). Nothing is lost'),
  ]);
  expect(stdout).not.toMatch(/run trellis doctor/i);
});

describe('following the advice of doctor changes what it finds', () => {
  /** What doctor reports, and the command that its advice ends with. */
  async function findings(args: readonly string[]): Promise<{ found: string[]; commands: string[][] }> {
    const { problems, warnings, notes } = JSON.parse(
      (await sandbox.run(['doctor', '--json', ...args])).stdout,
    );
    const found: string[] = [...problems, ...warnings, ...notes];
    const commands = found.flatMap((text) => /: (?:trellis|(?=chmod)) ?(.+)$/.exec(text)?.[1] ?? []);
    return { found, commands: commands.map((command) => command.split(' ')) };
  }

  test('permissions', async () => {
    await mkdir(sandbox.path('shared'));
    await sandbox.run(['stdio', '--store', 'shared/a.db'], {}, create);
    await chmod(sandbox.path('shared', 'a.db'), 0o666);
    await chmod(sandbox.path('shared'), 0o777);
    const { commands } = await findings(['--store', 'shared/a.db']);
    expect(commands.map(([program]) => program)).toEqual(['chmod', 'chmod']);
    for (const [, mode = '', path = ''] of commands) await chmod(path, Number.parseInt(mode, 8));
    expect((await findings(['--store', 'shared/a.db'])).found).toEqual([]);
  });

  test('a damaged database, with a backup', async () => {
    await sandbox.run(['stdio', '--store', 'a.db'], {}, create);
    await sandbox.run(['backup', 'backup.db', '--store', 'a.db']);
    const path = sandbox.path('a.db');
    const bytes = await readFile(path);
    await writeFile(path, Buffer.concat([bytes.subarray(0, 4096), Buffer.alloc(bytes.length - 4096, 0x5a)]));
    const { found } = await findings(['--store', 'a.db']);
    expect(found.join('\n')).toContain('trellis restore');
    const restored = await sandbox.run(['restore', 'backup.db', '--store', 'a.db', '--force']);
    expect(restored).toMatchObject({ code: 0, stderr: '' });
    expect((await findings(['--store', 'a.db'])).found).toEqual([]);
  });

  test('tokens that do not exist yet', async () => {
    await writeFile(sandbox.path('trellis.yaml'), 'auth: { tokens: { file: t.json } }\n');
    const { commands } = await findings([]);
    expect(commands).toHaveLength(1);
    const made = await sandbox.run((commands[0] ?? []).map((word) => (word === 'NAME' ? 'ann' : word)));
    expect(made.code).toBe(0);
    expect((await findings([])).found.join('\n')).not.toContain('does not exist');
  });

  test('a schema that differs from its file', async () => {
    await writeFile(sandbox.path('people.pg'), 'node Person { name: String @key }\n');
    await writeFile(
      sandbox.path('trellis.yaml'),
      'store: work.db\ngraphs: { work: { schema: people.pg } }\n',
    );
    await sandbox.run(['schema', 'apply', '--graph', 'work']);
    expect((await findings([])).found).toEqual([]);
    await writeFile(sandbox.path('people.pg'), 'node Person { name: String @key\n age: I32? }\n');
    const { found, commands } = await findings([]);
    expect(found.join('\n')).toContain('has another schema');
    expect(commands).toHaveLength(1);
    expect(await sandbox.run(commands[0] ?? [])).toMatchObject({ code: 0 });
    expect((await findings([])).found).toEqual([]);
  });

  test('a deletion that was interrupted', async () => {
    await sandbox.run(['graph', 'create', 'work', '--store', 'a.db']);
    await sandbox.run(['add', 'Ann', '--type', 'person', '--store', 'a.db', '--graph', 'work']);
    const connection = new SqliteConnection(sandbox.path('a.db'));
    await writeTransaction(connection, () => removeGraph(connection, 'work', 0));
    connection.close();
    const { commands } = await findings(['--store', 'a.db']);
    expect(commands).toHaveLength(1);
    expect(await sandbox.run(commands[0] ?? [])).toMatchObject({ code: 0 });
    expect((await findings(['--store', 'a.db'])).found).toEqual([]);
  });
});
