// @ts-check
import { execFile } from 'node:child_process';
import { lstat, mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { startRegistry } from './local-registry.js';
import { packCopy } from './pack-copy.js';

const execute = promisify(execFile);

const fact = { name: 'Shop API', entityType: 'project', observations: ['Deploys go out on Fridays'] };

/**
 * Does what a new user does, from an empty home folder: fetches the package with npx, adds it to Claude Code, and
 * remembers a fact with a client that starts the configured command.
 * @param {(step: string, milliseconds: number) => void} report called after each step
 */
export async function firstMinute(report) {
  const folder = await mkdtemp(join(tmpdir(), 'trellis-first-minute-'));
  const home = join(folder, 'home');
  await mkdir(home);
  /** @template T @param {string} step @param {() => Promise<T>} work */
  const timed = async (step, work) => {
    const start = performance.now();
    const result = await work();
    report(step, performance.now() - start);
    return result;
  };
  try {
    const archive = await timed('pack', () => packCopy(folder));
    const manifest = JSON.parse(await readFile(join(folder, 'source', 'package.json'), 'utf8'));
    const upstream = (await execute('npm', ['config', 'get', 'registry'])).stdout.trim();
    const registry = await startRegistry({ archive, manifest, upstream });
    try {
      const env = newUser(home, registry.address);
      /** @param {string[]} args */
      const npx = async (...args) =>
        (await execute('npx', ['-y', 'trellis-memory', ...args], { cwd: home, env })).stdout;

      await timed(downloadStep, () => npx('--version'));
      const version = (await timed('npx -y trellis-memory --version', () => npx('--version'))).trim();
      const dryRun = await timed('trellis install claude-code --dry-run', () =>
        npx('install', 'claude-code', '--dry-run'),
      );
      await timed('trellis install claude-code', () => npx('install', 'claude-code'));
      const { mcpServers } = JSON.parse(await readFile(join(home, '.claude.json'), 'utf8'));
      /** @param {Parameters<Client['callTool']>[0]} call */
      const callTool = (call) =>
        withClient({ ...mcpServers.trellis, env, cwd: home, stderr: 'ignore' }, (client) =>
          client.callTool(call),
        );
      await timed('remember a fact', () =>
        callTool({ name: 'create_entities', arguments: { entities: [fact] } }),
      );
      const answer = await timed('find it in another conversation', () =>
        callTool({ name: 'search_nodes', arguments: { query: 'deploy' } }),
      );
      const installedBytes = await folderBytes(join(env.npm_config_cache, '_npx'));
      return { version, dryRun, entry: mcpServers.trellis, answer, fact, installedBytes };
    } finally {
      await registry.close();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

export const downloadStep = 'npx -y trellis-memory, the first time, with the download';

/**
 * The environment of somebody who has only Node: nothing of this checkout, or of npm's state, is in it.
 * @param {string} home
 * @param {string} registry
 */
function newUser(home, registry) {
  const kept = Object.entries(process.env).filter(([name]) => !/^(npm_|TRELLIS_|XDG_)/i.test(name));
  return {
    .../** @type {Record<string, string>} */ (Object.fromEntries(kept)),
    HOME: home,
    USERPROFILE: home,
    npm_config_cache: join(home, '.npm'),
    npm_config_registry: registry,
    npm_config_update_notifier: 'false',
  };
}

/**
 * @template T
 * @param {import('@modelcontextprotocol/client/stdio').StdioServerParameters} server
 * @param {(client: Client) => Promise<T>} use
 */
async function withClient(server, use) {
  const client = new Client({ name: 'first-minute', version: '0' });
  await client.connect(new StdioClientTransport(server));
  try {
    return await use(client);
  } finally {
    await client.close();
  }
}

/**
 * The bytes of all files in a folder. A disk takes a few megabytes more, depending on its blocks.
 * @param {string} folder
 * @returns {Promise<number>}
 */
async function folderBytes(folder) {
  const names = await readdir(folder, { recursive: true });
  const sizes = await Promise.all(
    names.map(async (name) => {
      const entry = await lstat(join(folder, name));
      return entry.isFile() ? entry.size : 0;
    }),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}
