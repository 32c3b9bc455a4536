import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { expect, test } from 'vitest';
import { bundleMcpb, mcpb } from '../../scripts/packaging/mcpb-bundle.js';
import { mcpbManifest } from '../../scripts/packaging/mcpb-manifest.js';
import { surfaceNames } from '../../src/surfaces/surface-registry.js';
import { full } from '../helpers/full.js';

const execute = promisify(execFile);

test('the manifest of the bundle names every surface', async () => {
  const { user_config } = mcpbManifest(JSON.parse(await readFile('package.json', 'utf8')), []);
  for (const name of surfaceNames) expect(user_config.surface.description).toContain(name);
});

test.runIf(full)('a client unpacks the bundle, fills in its settings, and gets its tools', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'trellis-mcpb-test-'));
  try {
    const file = join(folder, 'trellis.mcpb');
    const unpacked = join(folder, 'unpacked');
    expect(await bundleMcpb(file)).toContain('Manifest schema validation passes');
    await execute('npx', [...mcpb, 'unpack', file, unpacked]);
    await execute('npx', [...mcpb, 'validate', join(unpacked, 'manifest.json')]);

    const manifest = JSON.parse(await readFile(join(unpacked, 'manifest.json'), 'utf8'));
    const chosen = { store: join(folder, 'memory.db'), surface: 'workspace' };
    const { command, args, env } = fillIn(manifest, unpacked, chosen);
    const client = new Client({ name: 'desktop', version: '0' });
    const base = { PATH: process.env['PATH'] ?? '', HOME: folder };
    await client.connect(
      new StdioClientTransport({ command, args, env: { ...base, ...env }, stderr: 'ignore' }),
    );
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain('search_nodes');
    expect(tools.length).toBeGreaterThan(manifest.tools.length);
    await client.close();
    expect((await readFile(chosen.store)).subarray(0, 6).toString()).toBe('SQLite');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

interface McpbManifest {
  readonly server: { readonly mcp_config: { command: string; args: string[]; env: Record<string, string> } };
  readonly user_config: Readonly<Record<string, { readonly default: string }>>;
}

/** The command that a client starts: `${__dirname}` is where it unpacked the bundle, `${user_config.…}` what was set. */
function fillIn(
  { server, user_config }: McpbManifest,
  folder: string,
  chosen: Readonly<Record<string, string>>,
): McpbManifest['server']['mcp_config'] {
  const values = new Map([['__dirname', folder]]);
  for (const [key, option] of Object.entries(user_config)) {
    values.set(`user_config.${key}`, chosen[key] ?? option.default);
  }
  const replace = (text: string) => text.replace(/\$\{([^}]+)\}/g, (all, key) => values.get(key) ?? all);
  const { command, args, env } = server.mcp_config;
  const filled = Object.entries(env).map(([name, value]) => [name, replace(value)] as const);
  return { command, args: args.map(replace), env: Object.fromEntries(filled) };
}
