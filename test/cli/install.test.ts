import { mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { parse as parseToml } from '@decimalturn/toml-patch';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { parse as parseJsonc } from 'jsonc-parser';
import { describe, expect, test } from 'vitest';
import { parse as parseYaml } from 'yaml';
import { type ClientName, clientNamed, clientNames } from '../../src/install/clients.js';
import type { Machine } from '../../src/install/machine.js';
import { useSandbox } from './run-cli.js';

const sandbox = useSandbox();

const machine = (): Machine => ({
  platform: 'linux',
  home: sandbox.path('home'),
  cwd: sandbox.folder,
  env: {},
});

/** What users have in these files: other servers, comments where the client takes them, and its other settings. */
const existing: Readonly<Record<ClientName, string>> = {
  'claude-code':
    '{\n  "numStartups": 3,\n  "mcpServers": {\n    "docs": { "type": "http", "url": "https://docs.example.com/mcp" }\n  },\n  "projects": {}\n}',
  'claude-desktop': '{\n\t"globalShortcut": "Ctrl+Space",\n\t"mcpServers": {}\n}\n',
  cursor: '{\n  // mine\n  "mcpServers": { "docs": { "url": "https://docs.example.com/mcp" } } // keep\n}\n',
  vscode:
    '{\n    "inputs": [], // asked for once\n    "servers": {\n        "docs": { "type": "http", "url": "https://docs.example.com/mcp" },\n    },\n}\n',
  windsurf: '{"mcpServers":{}}',
  codex:
    '# Codex\nmodel = "gpt-5" # best\n\n[mcp_servers.docs]\ncommand = "docs"\nargs = [ "-v" ] # loud\n\n[tui]\nnotifications = true\n',
  'gemini-cli': '{\r\n  "ui": { "theme": "Dark" }, // at night\r\n  "mcpServers": {}\r\n}\r\n',
  opencode: '{\n  "$schema": "https://opencode.ai/config.json",\n  // servers\n  "mcp": {}\n}\n',
  zed: '// Zed settings\n{\n  "theme": "One Dark",\n  "context_servers": {\n    // none yet\n  },\n}\n',
  cline: '{\n  "mcpServers": {\n    "docs": { "command": "docs", "args": [], "disabled": true }\n  }\n}\n',
  goose:
    '# goose\nGOOSE_PROVIDER: openai\nextensions:\n  developer:   # built in\n    type: builtin\n    enabled: true\nGOOSE_MODEL: gpt-5\n',
  continue:
    'name: Local\nversion: 1.0.0\nschema: v1\nmodels:\n  - name: a # first\nmcpServers:\n  - name: docs\n    command: docs\n',
  jetbrains: '{ "mcpServers": { "docs": { "command": "docs", "args": [] } } }\n',
};

const userFile = (name: ClientName) => clientNamed(name).userFiles(machine())[0] ?? '';

async function writeExisting(name: ClientName): Promise<string> {
  const file = userFile(name);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, existing[name], { mode: 0o640 });
  return file;
}

function parseAs(name: ClientName, text: string): unknown {
  const { format } = clientNamed(name);
  return format === 'json' ? parseJsonc(text) : format === 'toml' ? parseToml(text) : parseYaml(text);
}

describe.each(clientNames)('%s', (name) => {
  test('is installed beside what is there, starts, and leaves the file as it was, byte for byte', async () => {
    const file = await writeExisting(name);
    const installed = await sandbox.run(['install', name, '--store', 'memory.db']);
    expect(installed).toMatchObject({ code: 0, stdout: expect.stringContaining('added to') });
    const text = await readFile(file, 'utf8');
    expect((await stat(file)).mode & 0o777).toBe(0o640);
    expect(await readFile(`${file}.before-trellis`, 'utf8')).toBe(existing[name]);
    expect(await listTools(startedBy(name, parseAs(name, text)))).toContain('create_entities');
    expect(await sandbox.run(['install', name, '--store', 'memory.db'])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('already set'),
    });
    expect(await readFile(file, 'utf8')).toBe(text);
    expect(await sandbox.run(['uninstall', name])).toMatchObject({ code: 0 });
    expect(await readFile(file, 'utf8')).toBe(existing[name]);
    expect((await readdir(dirname(file))).filter((other) => other.includes('trellis'))).toEqual([]);
  });

  test('a file that was not there is made, and removed again', async () => {
    const file = userFile(name);
    expect(await sandbox.run(['install', name])).toMatchObject({ code: 0 });
    expect(startedBy(name, parseAs(name, await readFile(file, 'utf8'))).args).toContain('stdio');
    await sandbox.run(['uninstall', name]);
    await expect(readFile(file)).rejects.toThrow('ENOENT');
  });

  test('what others changed since stays when the entry is removed', async () => {
    const file = await writeExisting(name);
    const before = JSON.stringify(parseAs(name, existing[name]));
    await sandbox.run(['install', name]);
    await writeFile(file, `${await readFile(file, 'utf8')}\n`);
    expect(await sandbox.run(['uninstall', name])).toMatchObject({ code: 0 });
    const after = JSON.parse(JSON.stringify(parseAs(name, await readFile(file, 'utf8'))));
    expect(withoutEmpty(after, name)).toEqual(withoutEmpty(JSON.parse(before), name));
  });

  test('--dry-run prints the diff and writes nothing; --url names the server', async () => {
    const file = await writeExisting(name);
    const { stdout } = await sandbox.run(['install', name, '--url', 'http://127.0.0.1:8765', '--dry-run']);
    expect(stdout).toContain(`--- ${file}`);
    expect(stdout).toMatch(
      clientNamed(name).callsUrls ? /^\+.*http:\/\/127.0.0.1:8765\/mcp/m : /^\+.*proxy/m,
    );
    expect(await readFile(file, 'utf8')).toBe(existing[name]);
  });
});

test('in a project, as a second server, and for a surface and a graph', async () => {
  const { code } = await sandbox.run([
    'install',
    'cursor',
    'vscode',
    '--project',
    '--surface',
    'workspace',
    '--graph',
    'work',
    '--name',
    'team',
  ]);
  expect(code).toBe(0);
  const cursor = JSON.parse(await readFile(sandbox.path('.cursor', 'mcp.json'), 'utf8'));
  expect(cursor.mcpServers.team.args.slice(-5)).toEqual([
    'stdio',
    '--surface',
    'workspace',
    '--graph',
    'work',
  ]);
  const vscode = JSON.parse(await readFile(sandbox.path('.vscode', 'mcp.json'), 'utf8'));
  expect(vscode.servers.team.type).toBe('stdio');
  expect(await sandbox.run(['install', 'windsurf', '--project'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('has no configuration for a project'),
  });
});

test('a link is followed, not replaced', async () => {
  const real = sandbox.path('dotfiles.json');
  await writeFile(real, '{}');
  await mkdir(sandbox.path('home', '.cursor'), { recursive: true });
  await symlink(real, sandbox.path('home', '.cursor', 'mcp.json'));
  await sandbox.run(['install', 'cursor']);
  expect(JSON.parse(await readFile(real, 'utf8')).mcpServers.trellis).toBeDefined();
});

test('a backup does not overwrite what a link in its place leads to', async () => {
  const precious = sandbox.path('precious');
  await writeFile(precious, 'mine');
  await writeFile(sandbox.path('.mcp.json'), '{ "x": "theirs" }');
  await symlink(precious, sandbox.path('.mcp.json.before-trellis'));
  expect((await sandbox.run(['install', 'claude-code', '--project'])).code).toBe(0);
  expect(await readFile(precious, 'utf8')).toBe('mine');
  expect(await readFile(sandbox.path('.mcp.json.before-trellis'), 'utf8')).toBe('{ "x": "theirs" }');
});

test('--list says what is found and what is set; --all takes what is found', async () => {
  await writeExisting('cursor');
  await writeExisting('codex');
  expect((await sandbox.run(['install', '--all'])).code).toBe(0);
  const { clients } = JSON.parse((await sandbox.run(['install', '--list', '--json'])).stdout);
  const set = clients.filter(({ state }: { state: string }) => state === 'set');
  expect(set.map(({ client }: { client: string }) => client)).toEqual(['cursor', 'codex']);
});

describe('refused, with nothing changed', () => {
  test('a file that cannot be parsed, with its line; others are done', async () => {
    const file = await writeExisting('cursor');
    await writeFile(file, '{\n  "mcpServers": {\n');
    const { code, stderr, stdout } = await sandbox.run(['install', 'cursor', 'goose']);
    expect(code).toBe(1);
    expect(stderr).toMatch(/Cannot read .*mcp\.json, line 3/);
    expect(stdout).toContain('goose: added');
    expect(await readFile(file, 'utf8')).toBe('{\n  "mcpServers": {\n');
  });

  test('a server of the same name that is not Trellis, unless --force', async () => {
    const file = await writeExisting('cursor');
    const other = '{ "mcpServers": { "trellis": { "command": "something-else" } } }';
    await writeFile(file, other);
    for (const command of ['install', 'uninstall'])
      expect(await sandbox.run([command, 'cursor'])).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('starts something else'),
      });
    expect(await readFile(file, 'utf8')).toBe(other);
    const { stdout } = await sandbox.run(['install', 'cursor', '--force']);
    expect(stdout).toContain('the file as it was is in');
    expect(await readFile(`${file}.before-trellis`, 'utf8')).toBe(other);
    expect((await sandbox.run(['uninstall', 'cursor'])).code).toBe(0);
    expect(await readFile(file, 'utf8')).toBe(other);
  });

  test.each([
    ['cursor', '{"mcpServers":{"a":{}},\n"mcpServers":{"b":{}}}', /line 2: "mcpServers" is there twice/],
    ['cursor', '{"mcpServers":{"trellis":{},"trellis":{}}}', /line 1: "trellis" is there twice/],
    ['cursor', `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`, /nested too deeply/],
    ['goose', 'a: 1\n...\n', /cannot be added/],
    ['goose', 'extensions: ~\n', /cannot be added/],
    ['goose', '? extensions\n: a: 1\n', /cannot be added/],
    ['continue', 'mcpServers:\n  - &a text\n  - name: b\n', /cannot be added/],
  ] as const)('%s: a file that cannot be edited safely: %#', async (client, text, reason) => {
    const file = await writeExisting(client);
    await writeFile(file, text);
    expect(await sandbox.run(['install', client])).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(reason),
    });
    expect(await readFile(file, 'utf8')).toBe(text);
  });

  test('a server that has no address under servers:', async () => {
    const args = ['install', 'cursor', '--url', 'team', '--dry-run'];
    expect(await sandbox.run(args)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('There is no server named "team".'),
    });
    await writeFile(sandbox.path('mine.yaml'), 'servers: { team: { endpoint: "https://example.com" } }\n');
    const { stdout } = await sandbox.run([...args, '--config', 'mine.yaml']);
    expect(stdout).toContain(sandbox.path('mine.yaml'));
  });

  test.each([
    [['install'], 'Name one or more clients'],
    [['install', 'emacs'], 'no client named "emacs"'],
    [['install', 'cursor', '--surface', 'nope'], 'no surface'],
    [['install', 'cursor', '--url', 'http://0.0.0.0:8765'], 'No client can call'],
    [['install', 'cursor', '--name', 'a b'], 'A server name has'],
    [['install', 'cursor', '--store', 'postgres://me:hunter2@db/memory'], 'contains a password'],
    [['install', 'cursor', '--store', 'postgres://db/memory?password=hunter2'], 'contains a password'],
  ])('trellis %j', async (args, message) => {
    expect(await sandbox.run(args)).toMatchObject({ code: 2, stderr: expect.stringContaining(message) });
  });
});

interface Started {
  readonly command: string;
  readonly args: string[];
}

/** The program that the client would start, from its parsed configuration. */
function startedBy(name: ClientName, config: unknown): Started {
  const { key, isList } = clientNamed(name);
  const servers = (config as Record<string, unknown>)[key];
  const entry = isList
    ? (servers as { name: string }[]).find((server) => server.name === 'trellis')
    : (servers as Record<string, unknown>)['trellis'];
  const { command, cmd, args = [] } = entry as { command?: string | string[]; cmd?: string; args?: string[] };
  const [program = '', ...more] = [command ?? cmd ?? ''].flat();
  return { command: program, args: [...more, ...args] };
}

async function listTools({ command, args }: Started): Promise<string[]> {
  const client = new Client({ name: 'installed', version: '1' });
  await client.connect(
    new StdioClientTransport({ command, args, env: sandbox.env, cwd: '/', stderr: 'ignore' }),
  );
  const { tools } = await client.listTools();
  await client.close();
  return tools.map((tool) => tool.name);
}

function withoutEmpty(config: Record<string, unknown>, name: ClientName): object {
  const { key } = clientNamed(name);
  const { [key]: servers, ...rest } = config;
  return Object.keys(servers ?? {}).length === 0 ? rest : config;
}
