import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, truncate, writeFile } from 'node:fs/promises';
import { beforeEach, describe, expect, test } from 'vitest';
import { cliPath, useSandbox } from '../cli/run-cli.js';
import { claudeCode } from './transcripts.js';

const sandbox = useSandbox();
const store = () => ['--store', sandbox.path('memory.db')];

/** Whatever else this machine does. */
const patient = { TRELLIS_HOOK_TIMEOUT: '60000' };
const hasty = { TRELLIS_HOOK_TIMEOUT: '1000' };

/** As Claude Code runs a hook: JSON on standard input, and its variables. */
function hook(event: string, input: object | string, flags: readonly string[] = store(), timeout = patient) {
  const text =
    typeof input === 'string'
      ? input
      : JSON.stringify({ session_id: 's-1', cwd: sandbox.folder, permission_mode: 'default', ...input });
  const env = { CLAUDE_PROJECT_DIR: sandbox.folder, CLAUDE_PLUGIN_ROOT: '/plugins/trellis', ...timeout };
  return sandbox.runProcess(['hook', event, ...flags], env, text);
}

const silent = { code: 0, stdout: '', stderr: '' };
const start = { hook_event_name: 'SessionStart', source: 'startup' };
const end = () => ({
  hook_event_name: 'SessionEnd',
  reason: 'exit',
  transcript_path: sandbox.path('transcript.jsonl'),
});
const note = [
  'Changed the file /src/shop/cart.ts',
  'Made the commit 1a2b3c4 Add a cart',
  'The user said: Let us add a cart. My key is [removed]',
  'The user said: Thanks, use euros.',
];

async function observationsOf(name: string, flags: readonly string[] = []): Promise<string[]> {
  const { stdout } = await sandbox.run(['get', name, '--json', ...store(), ...flags]);
  return JSON.parse(stdout).node.observations.map(({ text }: { text: string }) => text);
}

async function countCommits(): Promise<number> {
  const { stdout } = await sandbox.run(['log', '--json', ...store()]);
  return JSON.parse(stdout).commits.length;
}

describe('with a memory', () => {
  beforeEach(async () => {
    const pinned = ['--observation', 'PINNED: Never deploy on Fridays'];
    await sandbox.run(['add', 'Shop', '--type', 'project', ...pinned, ...store()]);
    await writeFile(sandbox.path('transcript.jsonl'), claudeCode);
  });

  test('a session starts with the brief in its context', async () => {
    const { code, stdout, stderr } = await hook('session-start', start);
    expect([code, stderr]).toEqual([0, '']);
    const { hookSpecificOutput } = JSON.parse(stdout);
    expect(hookSpecificOutput.hookEventName).toBe('SessionStart');
    expect(hookSpecificOutput.additionalContext).toContain('- Shop: Never deploy on Fridays');
  });

  test('Cursor and opencode get it in their own form', async () => {
    const cursor = await hook('session-start', start, [...store(), '--client', 'cursor']);
    expect(JSON.parse(cursor.stdout).additional_context).toContain('Never deploy on Fridays');
    const opencode = await hook('session-start', start, [...store(), '--client', 'opencode']);
    expect(opencode.stdout).toMatch(/^# What the memory knows\n/);
  });

  test('a checkpoint stores what was done, said and committed, once', async () => {
    expect(await hook('checkpoint', { ...end(), hook_event_name: 'PreCompact', trigger: 'auto' })).toEqual(
      silent,
    );
    expect(await observationsOf('Session s-1')).toEqual(note);
    const commits = await countCommits();
    expect(await hook('checkpoint', end())).toEqual(silent);
    expect(await observationsOf('Session s-1')).toEqual(note);
    expect(await countCommits()).toBe(commits);
  });

  test('what a checkpoint stores says where it is from, and that it is unsure', async () => {
    await hook('checkpoint', end());
    const { stdout } = await sandbox.run(['get', 'Session s-1', '--json', ...store()]);
    const provenance = { source: 'transcript', extraction_method: 'hook', confidence: 0.3 };
    expect(JSON.parse(stdout).node.observations[0]).toMatchObject({ ordinal: 1, provenance });
  });

  test('a checkpoint can go to a branch of its own, which it creates', async () => {
    const branch = ['--branch', 'transcripts'];
    expect(await hook('checkpoint', end(), [...store(), ...branch])).toEqual(silent);
    expect(await observationsOf('Session s-1', branch)).toEqual(note);
    const { code } = await sandbox.run(['get', 'Session s-1', ...store()]);
    expect(code).toBe(1);
  });

  test('a JSON lines file works as well', async () => {
    const file = ['--file', sandbox.path('memory.jsonl')];
    const line = { type: 'entity', name: 'Shop', entityType: 'project', observations: ['PINNED: Use euros'] };
    await writeFile(sandbox.path('memory.jsonl'), `${JSON.stringify(line)}\n`);
    expect((await hook('session-start', start, file)).stdout).toContain('Use euros');
    expect(await hook('checkpoint', end(), file)).toEqual(silent);
    expect(await readFile(sandbox.path('memory.jsonl'), 'utf8')).toContain(
      'The user said: Thanks, use euros.',
    );
  });

  test.each([
    ['no input', ''],
    ['no JSON', '{"cwd":'],
    ['a list', '[]'],
    ['null', 'null'],
    ['numbers', '{"session_id":1,"cwd":2,"transcript_path":3}'],
  ])('%s stores nothing, and does not fail', async (_, input) => {
    const commits = await countCommits();
    expect(await hook('checkpoint', input)).toEqual(silent);
    expect(await countCommits()).toBe(commits);
  });

  test.each([
    ['a transcript that is gone', '/nowhere/transcript.jsonl'],
    ['a folder instead of a transcript', '/tmp'],
  ])('%s stores nothing, and does not fail', async (_, path) => {
    expect(await hook('checkpoint', { ...end(), transcript_path: path })).toEqual(silent);
  });

  test('of a huge transcript, the end is read', async () => {
    const path = sandbox.path('transcript.jsonl');
    await writeFile(path, '');
    await truncate(path, 500_000_000);
    await writeFile(path, `\n${claudeCode}`, { flag: 'a' });
    expect(await hook('checkpoint', end())).toEqual(silent);
    expect(await observationsOf('Session s-1')).toEqual(note);
  });

  test('a store that somebody else keeps locked is left alone', async () => {
    const { DatabaseSync } = await import('@photostructure/sqlite');
    const other = new DatabaseSync(sandbox.path('memory.db'));
    other.exec('begin exclusive');
    try {
      expect(await hook('checkpoint', end(), store(), hasty)).toEqual(silent);
      expect(await hook('session-start', start, store(), hasty)).toMatchObject({ code: 0, stderr: '' });
    } finally {
      other.exec('rollback');
      other.close();
    }
    expect((await sandbox.run(['get', 'Session s-1', ...store()])).code).toBe(1);
  });

  test('a client that never ends its input is not kept waiting', async () => {
    const child = spawn(process.execPath, [cliPath, 'hook', 'session-start', ...store()], {
      env: sandbox.env,
    });
    child.stdin.write('{"cwd":');
    const [code] = await once(child, 'exit');
    expect(code).toBe(0);
  });

  test.skipIf(process.platform === 'win32')(
    'a pipe in the place of the transcript is not waited for',
    async () => {
      const pipe = sandbox.path('pipe.jsonl');
      execFileSync('mkfifo', [pipe]);
      expect(await hook('checkpoint', { transcript_path: pipe })).toEqual(silent);
    },
  );

  test('wrong flags and events do not fail the client', async () => {
    for (const args of [['hook'], ['hook', 'session-start', '--graph']])
      expect(await sandbox.runProcess(args)).toMatchObject({ code: 0, stdout: '' });
    expect(await hook('session-start', start, ['--nope', ...store(), '--budget', 'much'])).toMatchObject({
      code: 0,
      stderr: '',
    });
    expect(await hook('no-such-event', start)).toEqual(silent);
  });

  test('it can be turned off', async () => {
    const off = await sandbox.runProcess(
      ['hook', 'session-start', ...store()],
      { TRELLIS_HOOKS: 'off' },
      JSON.stringify(start),
    );
    expect(off).toEqual(silent);
  });
});

describe('without a memory', () => {
  test.each(['session-start', 'checkpoint'])('%s prints nothing, and creates none', async (event) => {
    await writeFile(sandbox.path('transcript.jsonl'), claudeCode);
    expect(await hook(event, { ...start, ...end() })).toEqual(silent);
    await expect(readFile(sandbox.path('memory.db'))).rejects.toMatchObject({ code: 'ENOENT' });
  });

  test('a file that is no database is left alone', async () => {
    await writeFile(
      sandbox.path('memory.db'),
      'not a database, but long enough to be read as one'.repeat(99),
    );
    expect(await hook('session-start', start)).toEqual(silent);
  });

  test('why nothing is printed can be asked', async () => {
    const { code, stderr } = await sandbox.runProcess(
      ['hook', 'session-start', ...store()],
      { TRELLIS_HOOK_DEBUG: '1', ...patient },
      JSON.stringify(start),
    );
    expect(code).toBe(0);
    expect(stderr).toContain('There is no store at');
  });
});
