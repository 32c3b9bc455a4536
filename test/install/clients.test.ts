import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type ClientName, clientNamed, clientNames } from '../../src/install/clients.js';
import { isOurs } from '../../src/install/is-ours.js';
import type { Machine } from '../../src/install/machine.js';
import { ownCommand, typedCommand } from '../../src/install/own-command.js';

const machines = {
  linux: { platform: 'linux', home: '/home/ann', cwd: '/home/ann/shop', env: {} },
  macOS: { platform: 'darwin', home: '/Users/ann', cwd: '/Users/ann/shop', env: {} },
  windows: {
    platform: 'win32',
    home: 'C:\\Users\\ann',
    cwd: 'C:\\Users\\ann\\shop',
    env: { APPDATA: 'C:\\Users\\ann\\AppData\\Roaming' },
  },
} as const satisfies Record<string, Machine>;

test('where each client keeps its configuration', () => {
  const files = Object.fromEntries(
    clientNames.map((name) => [
      name,
      Object.values(machines).map((machine) => clientNamed(name).userFiles(machine)[0]),
    ]),
  );
  expect(files).toMatchSnapshot();
});

test('XDG_CONFIG_HOME, APPDATA and CODEX_HOME move the files', () => {
  const moved = { ...machines.linux, env: { XDG_CONFIG_HOME: '/cfg', CODEX_HOME: '/codex' } };
  expect(clientNamed('vscode').userFiles(moved)).toEqual(['/cfg/Code/User/mcp.json']);
  expect(clientNamed('goose').userFiles(moved)).toEqual(['/cfg/goose/config.yaml']);
  expect(clientNamed('codex').userFiles(moved)).toEqual(['/codex/config.toml']);
});

/** Where this table and `add-mcp`, which another project keeps, differ for a reason. */
const differences: Partial<Record<ClientName, string>> = {
  opencode: 'both opencode.json and opencode.jsonc are read; its documentation names the first',
  continue: 'add-mcp does not know it',
  jetbrains: 'add-mcp does not know it',
};

describe('the same files and keys as add-mcp', () => {
  const script =
    "import('add-mcp').then(({ agents }) => console.log(JSON.stringify(Object.values(agents).map(({ name, configPath, configKey, localConfigPath }) => ({ name, configPath, configKey, localConfigPath })))))";
  const known: { name: string; configPath: string; configKey: string; localConfigPath?: string }[] =
    JSON.parse(
      execFileSync(process.execPath, ['-e', script], {
        env: { PATH: process.env['PATH'], HOME: machines.linux.home },
        encoding: 'utf8',
      }),
    );
  test.each(clientNames.filter((name) => differences[name] === undefined))('%s', (name) => {
    const client = clientNamed(name);
    const { configPath, configKey, localConfigPath } = known.find((agent) => agent.name === name) ?? {};
    expect(client.userFiles(machines.linux)).toContain(configPath);
    expect(client.key).toBe(configKey);
    const local = localConfigPath === undefined ? undefined : `${machines.linux.cwd}/${localConfigPath}`;
    expect(client.projectFile?.(machines.linux)).toBe(local);
  });
});

describe('the command in a configuration works from anywhere', () => {
  const program = { execPath: process.execPath, platform: 'linux', path: '' } as const;

  test('an installation by npx is started by npx', () => {
    const script = '/home/ann/.npm/_npx/1a2b/node_modules/trellis-memory/dist/bundle/trellis.js';
    expect(ownCommand(['stdio'], { ...program, script })).toEqual({
      command: 'npx',
      args: ['-y', 'trellis-memory', 'stdio'],
    });
    expect(ownCommand(['stdio'], { ...program, script, platform: 'win32' })).toEqual({
      command: 'cmd',
      args: ['/c', 'npx', '-y', 'trellis-memory', 'stdio'],
    });
  });

  test('any other is started by its absolute path', () => {
    const script = '/usr/lib/node_modules/trellis-memory/dist/bundle/trellis.js';
    expect(ownCommand(['stdio'], { ...program, script })).toEqual({
      command: process.execPath,
      args: [script, 'stdio'],
    });
  });

  test('a person types its name only if that is on the path', async () => {
    const script = '/home/ann/trellis/dist/bundle/trellis.js';
    const typed = (path: string) => typedCommand(['doctor'], { ...program, script, path });
    const folder = await mkdtemp(join(tmpdir(), 'trellis-path-'));
    expect(typed(folder)).toBe(`${process.execPath} ${script} doctor`);
    await writeFile(join(folder, 'trellis'), '');
    expect(typed(folder)).toBe('trellis doctor');
    await rm(folder, { recursive: true });
  });
});

test.each([
  [{ command: 'npx', args: ['-y', 'trellis-memory'] }, true],
  [{ command: 'cmd', args: ['/c', 'npx', '-y', 'trellis-memory@1.2.0', 'stdio'] }, true],
  [{ command: ['/usr/bin/node', '/opt/trellis/dist/bundle/trellis.js', 'stdio'] }, true],
  [{ cmd: 'C:\\npm\\trellis.cmd', args: ['stdio'] }, true],
  [{ url: 'http://127.0.0.1:8765/graphs/work/mcp' }, true],
  [{ command: 'npx', args: ['-y', '@modelcontextprotocol/server-memory'] }, false],
  [{ command: 'trellis-cms', args: [] }, false],
  [{ url: 'https://example.com/sse' }, false],
  ['text', false],
])('%j is ours: %s', (entry, ours) => {
  expect(isOurs(entry)).toBe(ours);
});
