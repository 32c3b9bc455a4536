// @ts-check
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { mcpbManifest } from './mcpb-manifest.js';
import { packCopy } from './pack-copy.js';

const execute = promisify(execFile);
const root = fileURLToPath(new URL('../../', import.meta.url));

/** What the bundle goes without: half of these packages is other builds, and sources that nothing compiles. */
const unneeded = [
  '@cedar-policy/cedar-wasm/esm',
  '@cedar-policy/cedar-wasm/web',
  '@photostructure/sqlite/src',
];

/** The program that validates and packs bundles. It brings 55 packages, so it is no dependency. */
export const mcpb = ['-y', '@anthropic-ai/mcpb@2.1.2'];

/**
 * Makes a bundle that desktop clients install by a double click: the package, what it needs, and a manifest.
 * @param {string} file where to put it
 */
export async function bundleMcpb(file) {
  const folder = await mkdtemp(join(tmpdir(), 'trellis-mcpb-'));
  try {
    const archive = await packCopy(folder);
    const bundle = join(folder, 'bundle');
    await mkdir(bundle);
    await execute('tar', ['-xzf', archive, '-C', bundle, '--strip-components', '1']);
    await Promise.all(['docs', 'CHANGELOG.md'].map((name) => rm(join(bundle, name), { recursive: true })));
    await copyDependencies(bundle);
    const manifest = JSON.parse(await readFile(join(bundle, 'package.json'), 'utf8'));
    const described = mcpbManifest(manifest, await listTools(bundle, folder));
    await writeFile(join(bundle, 'manifest.json'), JSON.stringify(described, null, 2));
    return (await execute('npx', [...mcpb, 'pack', bundle, file])).stdout;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * The packages that the lock file has for users, as they are installed here.
 * @param {string} bundle
 */
async function copyDependencies(bundle) {
  /** @type {{ packages: Record<string, { dev?: boolean }> }} */
  const { packages } = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8'));
  const left = unneeded.map((path) => join(root, 'node_modules', ...path.split('/')));
  for (const [path, { dev }] of Object.entries(packages)) {
    if (path === '' || dev === true) continue;
    await cp(join(root, path), join(bundle, path), {
      recursive: true,
      filter: (source) => !left.some((folder) => source === folder || source.startsWith(folder + sep)),
    });
  }
}

/**
 * Starts what was bundled, so that the manifest names the tools it has.
 * @param {string} bundle
 * @param {string} home
 */
async function listTools(bundle, home) {
  const client = new Client({ name: 'mcpb', version: '0' });
  const args = [join(bundle, 'dist/bundle/trellis.js'), 'stdio', '--store', join(home, 'memory.db')];
  await client.connect(new StdioClientTransport({ command: process.execPath, args, stderr: 'ignore' }));
  const { tools } = await client.listTools();
  await client.close();
  return tools;
}
