import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { parse as parseJsonc } from 'jsonc-parser';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { HookClient } from '../../src/hooks/hook-output.js';
import { hookFiles } from '../../src/install/hooks/hook-files.js';
import type { Machine } from '../../src/install/machine.js';
import { claudeCode } from '../hooks/transcripts.js';
import { useSandbox } from './run-cli.js';

const sandbox = useSandbox();
const machine = (): Machine => ({
  platform: 'linux',
  home: sandbox.path('home'),
  cwd: sandbox.folder,
  env: {},
});
const fileOf = (client: HookClient) => hookFiles[client].userFile(machine());

type JsonClient = Exclude<HookClient, 'opencode'>;

/** What users have in these files. */
const existing: Readonly<Record<JsonClient, string>> = {
  'claude-code':
    '{\n  "model": "opus",\n  "hooks": {\n    "SessionStart": [\n      { "hooks": [{ "type": "command", "command": "date" }] }\n    ]\n  }\n}\n',
  codex: '{\n\t"hooks": {}\n}',
  'gemini-cli': '{\r\n  // mine\r\n  "ui": { "theme": "Dark" }, // at night\r\n  "mcpServers": {}\r\n}\r\n',
  cursor: '{ "version": 1, "hooks": { "sessionStart": [], "stop": [{ "command": "date" }] } }\n',
};

/** How each calls the events. */
const events: Readonly<Record<JsonClient, readonly string[]>> = {
  'claude-code': ['SessionStart', 'PreCompact', 'SessionEnd'],
  codex: ['SessionStart', 'PreCompact', 'Stop'],
  'gemini-cli': ['SessionStart', 'PreCompress', 'SessionEnd'],
  cursor: ['sessionStart', 'preCompact', 'sessionEnd'],
};

const jsonClients = ['claude-code', 'codex', 'gemini-cli', 'cursor'] as const;

/** The command of the last hook for an event, as the client finds it. */
function commandFor(text: string, event: string): string {
  const { hooks } = parseJsonc(text) as {
    hooks: Record<string, { command?: string; hooks?: { command: string }[] }[]>;
  };
  const last = hooks[event]?.at(-1);
  return last?.command ?? last?.hooks?.[0]?.command ?? '';
}

/** As clients do it: by a shell, with JSON on standard input. */
async function runHook(command: string, input: object): Promise<string> {
  const running = promisify(execFile)('/bin/sh', ['-c', command], {
    env: { ...sandbox.env, TRELLIS_HOOK_TIMEOUT: '60000' },
    cwd: sandbox.folder,
  });
  running.child.stdin?.end(JSON.stringify(input));
  return (await running).stdout;
}

const place = () => ['--store', sandbox.path('my memory.db')];

beforeEach(async () => {
  await sandbox.run(['add', 'Shop', '--type', 'project', '--observation', 'PINNED: Use euros', ...place()]);
  await writeFile(sandbox.path('transcript.jsonl'), claudeCode);
});

describe.each(jsonClients)('the hooks of %s', (client) => {
  async function writeExisting(): Promise<string> {
    const file = fileOf(client);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, existing[client], { mode: 0o640 });
    return file;
  }

  test('are installed beside others, run, and leave the file as it was, byte for byte', async () => {
    const file = await writeExisting();
    const installed = await sandbox.run(['install', client, '--hooks', ...place()]);
    expect(installed).toMatchObject({ code: 0, stdout: expect.stringContaining(`hooks: added to ${file}`) });
    const text = await readFile(file, 'utf8');
    expect((await stat(file)).mode & 0o777).toBe(0o640);
    expect(text).toContain(client === 'gemini-cli' ? '// at night' : client === 'codex' ? '\t' : 'date');

    const [start = '', compact = '', end = ''] = events[client];
    const session = {
      ...{
        session_id: 's-1',
        conversation_id: 's-1',
        cwd: sandbox.folder,
        workspace_roots: [sandbox.folder],
      },
      transcript_path: sandbox.path('transcript.jsonl'),
    };
    const started = JSON.parse(
      await runHook(commandFor(text, start), { ...session, hook_event_name: start }),
    );
    const context = started.additional_context ?? started.hookSpecificOutput.additionalContext;
    expect(context).toContain('- Shop: Use euros');
    for (const event of [compact, end])
      expect(await runHook(commandFor(text, event), { ...session, hook_event_name: event })).toBe('');
    const { stdout } = await sandbox.run(['get', 'Session s-1', ...place()]);
    expect(stdout).toContain('The user said: Thanks, use euros.');

    expect(await sandbox.run(['install', client, '--hooks', ...place()])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('hooks: already set'),
    });
    expect(await readFile(file, 'utf8')).toBe(text);
    expect(await sandbox.run(['uninstall', client])).toMatchObject({ code: 0 });
    expect(await readFile(file, 'utf8')).toBe(existing[client]);
    expect((await readdir(dirname(file))).filter((other) => other.includes('trellis'))).toEqual([]);
  });

  test('that were moved to another store replace those before', async () => {
    const file = await writeExisting();
    await sandbox.run(['install', client, '--hooks', ...place()]);
    const moved = await sandbox.run(['install', client, '--hooks', '--store', 'other.db']);
    expect(moved.stdout).toContain('hooks: changed in');
    const text = await readFile(file, 'utf8');
    expect(text).not.toContain('my memory.db');
    expect(text.match(/ hook session-start /g)).toHaveLength(1);
    await sandbox.run(['uninstall', client]);
    expect(await readFile(file, 'utf8')).toBe(existing[client]);
  });

  test('make a file that was not there, and remove it again', async () => {
    await sandbox.run(['install', client, '--hooks', ...place()]);
    expect(commandFor(await readFile(fileOf(client), 'utf8'), events[client][0] ?? '')).toContain(
      'session-start',
    );
    await sandbox.run(['uninstall', client]);
    await expect(readFile(fileOf(client))).rejects.toMatchObject({ code: 'ENOENT' });
  });

  test('leave alone what somebody changed since', async () => {
    const file = await writeExisting();
    await sandbox.run(['install', client, '--hooks', ...place()]);
    const text = await readFile(file, 'utf8');
    await writeFile(file, text.replace('{', '{ "mine": 1,'));
    await sandbox.run(['uninstall', client]);
    const left = await readFile(file, 'utf8');
    expect(left).not.toContain('session-start');
    expect(parseJsonc(left)).toMatchObject({ mine: 1 });
  });

  test('are not added to a file that cannot be read', async () => {
    const file = await writeExisting();
    await writeFile(file, '{\n  "hooks": [1]\n}\n');
    const { code, stderr } = await sandbox.run(['install', client, '--hooks', ...place()]);
    expect(code).toBe(1);
    expect(stderr).toContain(`Cannot read ${file}, line 2: "hooks" is not an object. Nothing was changed.`);
    expect(await readFile(file, 'utf8')).toMatch(/^\{\n {2}"hooks": \[1\]/);
  });
});

describe('the plugin of opencode', () => {
  test('adds the brief to the system prompt, and is removed again', async () => {
    await sandbox.run(['install', 'opencode', '--hooks', ...place()]);
    const file = fileOf('opencode');
    vi.stubEnv('TRELLIS_HOOK_TIMEOUT', '60000');
    await writeFile(`${file}.mjs`, await readFile(file));
    const { TrellisMemory } = await import(/* @vite-ignore */ pathToFileURL(`${file}.mjs`).href);
    const plugin = await TrellisMemory({ directory: sandbox.folder });
    const output = { system: ['You are an agent.'] };
    await plugin['experimental.chat.system.transform']({}, output);
    vi.unstubAllEnvs();
    expect(output.system[1]).toContain('- Shop: Use euros');
    await sandbox.run(['uninstall', 'opencode']);
    await expect(readFile(file)).rejects.toMatchObject({ code: 'ENOENT' });
  });

  test('does not replace a file of somebody else', async () => {
    const file = fileOf('opencode');
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, 'export const Mine = 1;\n');
    expect(await sandbox.run(['install', 'opencode', '--hooks'])).toMatchObject({ code: 1 });
    expect(await sandbox.run(['uninstall', 'opencode'])).toMatchObject({ code: 0 });
    expect(await readFile(file, 'utf8')).toBe('export const Mine = 1;\n');
  });
});

test('notes can go to a branch of their own', async () => {
  await sandbox.run(['install', 'codex', '--hooks', '--hooks-branch', 'transcripts', ...place()]);
  const text = await readFile(fileOf('codex'), 'utf8');
  expect(commandFor(text, 'Stop')).toMatch(/ --branch transcripts$/);
  expect(commandFor(text, 'SessionStart')).not.toContain('--branch');
});

test('--hooks says what it cannot do', async () => {
  const url = await sandbox.run(['install', 'codex', '--hooks', '--url', 'http://127.0.0.1:8765']);
  expect(url).toMatchObject({ code: 2, stderr: expect.stringContaining('not on a server') });
  const none = await sandbox.run(['install', 'zed', '--hooks']);
  expect(none).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('None of these clients has hooks: zed.'),
  });
});

test('--dry-run shows the hooks and writes nothing', async () => {
  const { stdout } = await sandbox.run(['install', 'cursor', '--hooks', '--dry-run']);
  expect(stdout).toContain('Cursor hooks:\n');
  expect(stdout).toContain('hook session-start --client cursor');
  await expect(readFile(fileOf('cursor'))).rejects.toMatchObject({ code: 'ENOENT' });
});
