import { writeFile } from 'node:fs/promises';
import { beforeEach, describe, expect, test } from 'vitest';
import { callLines, toolAnswer, useSandbox } from './run-cli.js';

const sandbox = useSandbox();
const env = { TRELLIS_STORE: 'memory.db' };

const run = (...args: string[]) => sandbox.run(args, env);
const ok = async (...args: string[]) => {
  const { code, stdout, stderr } = await run(...args);
  expect([code, stderr]).toEqual([0, '']);
  return stdout;
};
const json = async (...args: string[]) => JSON.parse(await ok(...args, '--json'));

async function importLines(branch: string, ...lines: object[]): Promise<void> {
  await writeFile(sandbox.path('lines.jsonl'), lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  await ok('import', 'lines.jsonl', '--branch', branch);
}
const entity = (name: string, ...observations: string[]) => ({
  ...{ type: 'entity', name, entityType: 'person', observations },
});

beforeEach(() => importLines('main', entity('Ada', 'Writes TypeScript'), entity('Grace')));

test.each(['log', 'recent'])('%s says why it lists nothing', async (command) => {
  expect((await run(command, '--actor', 'nobody')).stderr).toBe('trellis: no commit matches\n');
  await ok('graph', 'create', 'empty');
  const { code, stdout, stderr } = await run(command, '--graph', 'empty');
  expect([code, stdout]).toEqual([0, '']);
  expect(stderr).toContain('nothing has been written here yet');
});

describe('the review of what an agent wrote', () => {
  test('an agent writes on a branch, a person looks at the difference and merges it', async () => {
    expect(await ok('branch', 'create', 'review')).toBe('Created the branch review from main\n');
    const call = callLines('add_observations', {
      observations: [{ entityName: 'Ada', contents: ['Lives in Lisbon'] }],
    });
    const session = await sandbox.run(['stdio', '--branch', 'review'], env, call);
    expect(session.stderr).toContain(', branch review');
    expect(toolAnswer(session.stdout)).toBeDefined();
    expect(await ok('diff', 'main', 'review')).toBe('~ person Ada\n    + 2. Lives in Lisbon\n');
    const exported = async (...flags: string[]) => (await run('export', ...flags)).stdout;
    expect(await exported()).not.toContain('Lisbon');
    expect(await exported('--branch', 'review')).toContain('Lisbon');
    expect(await ok('branch', 'merge', 'review', '--dry-run')).toContain(
      '(fast-forward) would change 1 node',
    );
    const merged = await json('branch', 'merge', 'review', '--delete');
    expect(merged).toMatchObject({
      ...{ source: 'review', target: 'main', outcome: 'fast_forward', branch_deleted: true, conflicts: [] },
      changes: { nodes: [{ change: 'changed', name: 'Ada' }], edges: [] },
    });
    expect(await exported()).toContain('Lisbon');
    expect(await json('branch', 'list')).toMatchObject({
      branches: [{ name: 'main', parent: null, head: merged.commit_id }],
    });
  });

  test('a conflict is shown with both sides, refused with exit code 1, and decided with --take', async () => {
    await ok('branch', 'create', 'review');
    await writeBoth();
    const refused = await run('branch', 'merge', 'review');
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain('delete_vs_update  node/person/Grace');
    expect(refused.stderr).toContain('main: (none)');
    expect(refused.stderr).toContain('[MERGE_CONFLICT]');
    const asJson = await run('branch', 'merge', 'review', '--json');
    expect(JSON.parse(asJson.stderr).error).toMatchObject({
      code: 'MERGE_CONFLICT',
      details: { conflicts: [{ kind: 'delete_vs_update', id: 'node/person/Grace' }] },
    });
    const preview = await run('branch', 'merge', 'review', '--dry-run');
    expect([preview.code, preview.stdout]).toEqual([1, expect.stringContaining('1 conflict')]);
    await ok('branch', 'merge', 'review', '--take', 'source:node/person/Grace');
    expect((await run('export')).stdout).toContain('An admiral');
  });

  test('--take without an id decides everything else; one that fits nothing, or is nothing, is refused', async () => {
    await ok('branch', 'create', 'review');
    await writeBoth();
    expect((await run('branch', 'merge', 'review', '--take', 'both')).code).toBe(2);
    const wrong = await run('branch', 'merge', 'review', '--take', 'source:node/person/Nobody');
    expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringContaining('[INVALID_ARGUMENT]')]);
    await ok('branch', 'merge', 'review', '--take', 'target');
    expect((await run('export')).stdout).not.toContain('Grace');
  });

  async function writeBoth(): Promise<void> {
    await importLines('review', entity('Grace', 'An admiral'));
    await sandbox.run(['stdio'], env, callLines('delete_entities', { entityNames: ['Grace'] }));
  }
});

describe('history', () => {
  test('log, show and diff tell who did what', async () => {
    await ok('branch', 'create', 'review');
    await importLines('review', entity('Hedy', 'Hops frequencies'));
    await importLines('main', entity('Ada', 'Plays whist'));
    await ok('branch', 'merge', 'review');
    const { commits } = await json('log');
    expect(commits.map(({ branch, tool }: Record<string, string>) => `${branch} ${tool}`)).toEqual([
      ...['main branches_merge', 'main import', 'review import', 'main import'],
    ]);
    expect((await json('log', '--limit', '1')).commits).toEqual(commits.slice(0, 1));
    expect((await json('log', '--actor', 'nobody')).commits).toEqual([]);
    expect((await json('log', '--since', '1h')).commits).toHaveLength(4);
    expect((await json('log', '--branch', 'review')).commits).toHaveLength(2);
    const drawing = await ok('log', '--drawing');
    expect(drawing.split('\n').map((line) => line.slice(0, 3).trimEnd())).toEqual([
      ...['*', '|\\', '* |', '| *', '|/', '*', ''],
    ]);
    const merge = commits[0].id;
    expect(await ok('show', merge)).toMatch(
      /^commit {2}\S+\n(.|\n)*merges(.|\n)*\+ person Hedy\n {4}\+ 1\. Hops frequencies\n$/,
    );
    expect(await json('show', 'review')).toMatchObject({
      ...{ branch: 'review', counts: { nodes_created: 1, observations_added: 1 } },
      changes: { nodes: [{ change: 'added', type: 'person', name: 'Hedy' }] },
    });
    expect(await json('diff', 'main', 'review')).toMatchObject({
      ...{ from: 'main', to: 'review' },
      nodes: [
        { change: 'changed', name: 'Ada', properties: { 'observations.2': { before: 'Plays whist' } } },
      ],
    });
    expect(await ok('diff', 'main', 'main')).toBe('main and main are identical.\n');
  });

  test('undo takes back a commit or what an actor did, and says what stays', async () => {
    await importLines('main', entity('Hedy'), entity('Ada', 'Plays whist'));
    const [{ id }] = (await json('log')).commits;
    await importLines('main', entity('Hedy', 'Hops frequencies'));
    const rehearsal = await ok('undo', '--commit', id, '--dry-run');
    expect(rehearsal).toContain('- 2. Plays whist');
    expect(rehearsal).toContain('delete_vs_update  node/person/Hedy');
    expect(rehearsal).toContain('Would undo 1 commit.');
    expect(await json('undo', '--commit', id)).toMatchObject({
      undone: [{ commit_id: id, left: [{ id: 'node/person/Hedy' }] }],
    });
    const { stdout } = await run('export');
    expect(stdout).toContain('Hops frequencies');
    expect(stdout).not.toContain('whist');
    const [{ actor }] = (await json('log')).commits;
    await ok('undo', '--actor', actor, '--since', '1h');
    expect((await run('export')).stdout).toBe('');
    expect((await run('undo', '--commit', id, '--actor', actor)).code).toBe(2);
    expect((await run('undo')).code).toBe(2);
  });

  test('gc drops what nothing sees, and a dry run only counts', async () => {
    await ok('branch', 'create', 'try');
    await importLines('try', entity('Hedy', 'Hops frequencies'));
    const head = (await json('branch', 'list')).branches[1].head;
    await ok('branch', 'delete', 'try');
    await importLines('main', entity('Katherine', 'Computes orbits'));
    await ok('show', head);
    expect(await json('gc', '--keep', '1h')).toMatchObject({ graphs: [{ nodes: 0, commits: 0 }] });
    const counted = await json('gc', '--keep', '0s', '--dry-run');
    expect(counted.graphs).toEqual([
      { graph: 'default', commits: 1, nodes: 1, observations: 1, edges: 0, perspectives: 0 },
    ]);
    expect((await json('gc', '--keep', '0s')).graphs).toEqual(counted.graphs);
    const gone = await run('show', head);
    expect([gone.code, gone.stderr]).toEqual([1, expect.stringContaining('[COMMIT_COLLECTED]')]);
    expect((await run('gc', '--keep', 'soon')).code).toBe(2);
  });

  test('undo says from when on commits can be undone after gc', async () => {
    const edit = (...args: string[]) => ok(...args, '--as', 'bot');
    const undo = (since: string) => run('undo', '--actor', 'bot', '--since', since);
    await edit('add', 'Ada', '--observation', 'Is tired');
    await edit('rm', 'Ada', '--observation', '2');
    await ok('add', 'Ada', '--observation', 'Sings');
    await ok('gc', '--keep', '0s');
    expect(await undo('1h')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('None of these 2 commits can be undone'),
    });
    await edit('add', 'Ada', '--observation', 'Reads');
    const { code, stderr } = await undo('1h');
    expect(code).toBe(1);
    expect(stderr).toContain('Only the newest 1 of these 3 commits can be undone');
    const [, later = ''] = /--since (\S+)/.exec(stderr) ?? [];
    expect((await undo(later)).stdout).toContain('Undid 1 commit');
  });

  test('purge reads the secret from standard input', async () => {
    await importLines('main', entity('Ada', 'The key is abc-123-xyz'));
    const purged = await sandbox.run(['purge'], env, 'abc-123-xyz\n');
    expect(purged).toMatchObject({ code: 0, stdout: expect.stringContaining('1 observation') });
    expect((await run('export')).stdout).toContain('The key is [purged]');
  });

  test('what is not there is refused by name, and a JSON lines file says what to do', async () => {
    expect((await run('branch', 'delete', 'main')).stderr).toContain('[BRANCH_IN_USE]');
    expect((await run('branch', 'merge', 'nope')).stderr).toContain('[BRANCH_NOT_FOUND]');
    expect((await run('stdio', '--branch', 'nope')).stderr).toContain('[BRANCH_NOT_FOUND]');
    expect((await run('show', 'nope')).stderr).toContain('[COMMIT_NOT_FOUND]');
    await writeFile(sandbox.path('memory.jsonl'), '');
    const file = await sandbox.run(['branch', 'create', 'x', '--file', 'memory.jsonl']);
    expect([file.code, file.stderr]).toEqual([1, expect.stringContaining('trellis import')]);
  });
});

describe('who made a commit, and why', () => {
  test('--as and --message are recorded by every command that writes, and shown by log and show', async () => {
    const by = ['--as', 'Grace Hopper', '--message', 'why\nnot'];
    await writeFile(sandbox.path('more.jsonl'), `${JSON.stringify(entity('Alan'))}\n`);
    await writeFile(sandbox.path('lines.ndjson'), '{"type":"Person","data":{"name":"Edsger"}}\n');
    await writeFile(sandbox.path('schema.pg'), 'node Person { name: String @key }\n');
    const commands = [
      ['import', 'more.jsonl'],
      ['ingest', 'lines.ndjson'],
      ['gate', 'schema', 'add', 'Person'],
      ['gate', 'schema', 'remove', 'Person'],
      ['purge', 'Writes TypeScript'],
    ];
    for (const command of commands) await ok(...command, ...by);
    await ok('branch', 'create', 'review');
    await ok('ingest', 'lines.ndjson', '--branch', 'review', '--mode', 'merge', ...by);
    await importLines('review', entity('Barbara'));
    await ok('branch', 'merge', 'review', ...by);
    const { commits } = await json('log', '--limit', '1');
    await ok('undo', '--commit', commits[0].id, ...by);
    const listed = (await json('log', '--actor', 'Grace Hopper')).commits;
    expect(listed.map(({ tool }: { tool: string }) => tool)).toEqual([
      ...['undo', 'branches_merge', 'purge', 'gate_schema_remove', 'gate_schema_add', 'ingest', 'import'],
    ]);
    for (const commit of listed) expect(commit).toMatchObject({ message: 'why\nnot' });
    expect(await ok('log', '--limit', '1')).toMatch(/ {2}Grace Hopper {2}undo {2}\(.*\) {2}"why\\nnot"\n$/);
    const shown = await ok('show', 'main');
    expect(shown).toContain('by      Grace Hopper, undo\nmessage "why\\nnot"\n');
    await ok('copy', '--from', 'memory.db', '--to', 'copy.db');
    const copied = await sandbox.run(['log', '--json'], { TRELLIS_STORE: 'copy.db' });
    expect(JSON.parse(copied.stdout)).toEqual(await json('log'));
  });

  test('mutate and schema apply record them too', async () => {
    const by = ['--as', 'grace', '--message', 'typed'];
    await writeFile(sandbox.path('schema.pg'), 'node Person { name: String @key }\n');
    const typed = { TRELLIS_STORE: 'typed.db' };
    await sandbox.run(['schema', 'apply', 'schema.pg', ...by], typed);
    await sandbox.run(['mutate', 'query add() { insert Person { name: "Ada" } }', ...by], typed);
    const { stdout } = await sandbox.run(['log', '--json'], typed);
    expect(JSON.parse(stdout)).toMatchObject({
      commits: ['mutate', 'schema_apply'].map((tool) => ({ actor: 'grace', tool, message: 'typed' })),
    });
  });

  test.each([
    ['--message', 'x'.repeat(1_001), 'LIMIT_EXCEEDED'],
    ['--message', '  ', 'INVALID_ARGUMENT'],
    ['--as', '', 'INVALID_ARGUMENT'],
    ['--as', 'x'.repeat(257), 'LIMIT_EXCEEDED'],
  ])('%s refuses what is empty or too long', async (option, value, code) => {
    await writeFile(sandbox.path('more.jsonl'), `${JSON.stringify(entity('Alan'))}\n`);
    const before = await json('log');
    const refused = await run('import', 'more.jsonl', option, value);
    expect(refused.stderr).toContain(`[${code}]`);
    expect(refused.code).not.toBe(0);
    expect(await json('log')).toEqual(before);
  });
});

describe('who put a value there', () => {
  test('blame has a line for each fact, log --node one version after the other', async () => {
    await ok('branch', 'create', 'review');
    await importLines('review', entity('Ada', 'Lives in \u001b[31mLisbon'));
    await ok('branch', 'merge', 'review', '--as', 'grace', '--message', 'reviewed');
    const lines = (await ok('blame', 'Ada')).split('\n');
    expect(lines[0]).toBe('person Ada');
    expect(lines.slice(1, -1).map((line) => line.trim().replaceAll(/\s{2,}.*/g, ''))).toEqual([
      ...['type: person', '1. Writes TypeScript', '2. "Lives in \\u001b[31mLisbon"'],
    ]);
    const columns = lines
      .slice(1, -1)
      .map((line) => line.search(/\d{4}-\d{2}-\d{2}T\d{2}:\d{2}Z {2}import {2}/));
    expect(new Set(columns).size).toBe(1);
    expect(columns[0]).toBeGreaterThan(0);
    const page = await json('blame', 'Ada', '--type', 'person');
    expect(page.node.observations[1].blame).toMatchObject({ tool: 'import', branch: 'review' });
    const { commits } = await json('log', '--node', 'Ada');
    expect(commits).toMatchObject([
      {
        tool: 'branches_merge',
        actor: 'grace',
        message: 'reviewed',
        changes: { nodes: [{ change: 'changed' }] },
      },
      { tool: 'import', branch: 'review', changes: { nodes: [{ name: 'Ada' }], edges: [] } },
      { tool: 'import', changes: { nodes: [{ change: 'added', name: 'Ada' }] } },
    ]);
    const log = await ok('log', '--node', 'Ada', '--limit', '1');
    expect(log).toMatch(/ {2}grace {2}branches_merge {2}.*"reviewed".*\n {2}~ person Ada\n {6}\+ 2\. "Lives/);
    expect(await json('log', '--node', 'Ada', '--actor', 'grace')).toMatchObject({
      commits: [{ tool: 'branches_merge' }],
    });
  });

  test('unknown names are refused, and a drawing of one node', async () => {
    for (const args of [
      ['blame', 'Nobody'],
      ['log', '--node', 'Nobody'],
    ]) {
      const { code, stderr } = await run(...args);
      expect([code, stderr]).toEqual([1, expect.stringContaining('[NOT_FOUND]')]);
    }
    expect(await run('blame', 'Ada', '--type', 'city')).toMatchObject({ code: 1 });
    expect(await run('log', '--node', 'Ada', '--drawing')).toMatchObject({ code: 2 });
  });
});
