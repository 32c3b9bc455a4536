// @ts-check
// Joins the modules that the package runs into few files, since opening hundreds of small ones is most of what a start
// takes: `npm run build`. What package.json calls a dependency stays outside, because it brings a native or
// WebAssembly part; every other package is taken in, with its licence.
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleExplorer } from './bundle-explorer.js';
import { bundleExplorerApp } from './bundle-explorer-app.js';
import { pruneTypes } from './packaging/prune-types.js';

const root = fileURLToPath(new URL('../', import.meta.url));
const folder = join(root, 'dist', 'bundle');

/** The explorer, which a browser loads; a server reads all of it at once, so earlier builds need not stay. */
const pageFolder = 'web';

/** The explorer as a single document, which chats show. */
const appFile = 'explorer-app.html';

/** How many builds stay in a checkout, the newest among them. */
const keptBuilds = 4;

/** Each module that something outside starts or imports, by the name that its file gets. */
const entries = {
  trellis: 'cli/main',
  'server-memory': 'compat/server-memory',
  memorymesh: 'compat/memorymesh',
  gate: 'gate/index',
  store: 'library/store',
  // Started by the program itself, which looks for them beside it.
  'read-process': 'store/sqlite/long-reads/read-process',
  'write-worker': 'store/sqlite/large-writes/write-worker',
  'watch-parent': 'store/sqlite/long-reads/watch-parent',
  'onnx-process': 'search/embedders/onnx/onnx-process',
  'louvain-worker': 'consolidation/louvain-worker',
  'node-pair-worker': 'store/sql/vectors/node-pairs/node-pair-worker',
  'embedding-worker': 'search/embedding/thread/embedding-worker',
};

const isRelease = process.argv.includes('--release');
if (isRelease) rmSync(folder, { recursive: true, force: true });
const bundler = await loadBundler();
const files = bundler === undefined ? pointToModules() : await bundle(bundler);
if (!isRelease) dropOldBuilds(files);
dropLeftovers();
if (isRelease) pruneTypes(root);
// npm sets the mode of a bin only when it installs a package; a checkout needs it too.
chmodSync(join(folder, 'trellis.js'), 0o755);

/** The bundler, which is a native program; undefined where there is none for this machine. */
async function loadBundler() {
  try {
    return await import('rolldown');
  } catch (error) {
    // What is published must not depend on the machine that packed it.
    if (isRelease) throw error;
    return undefined;
  }
}

/** Instead of bundling: the same program, but slower to start. */
function pointToModules() {
  console.error('The bundler does not run on this machine, so Trellis starts from its single modules.');
  mkdirSync(folder, { recursive: true });
  return Object.entries(entries).map(([name, module]) => {
    writeFileSync(join(folder, `${name}.js`), `#!/usr/bin/env node\nexport * from '../${module}.js';\n`);
    return `${name}.js`;
  });
}

/** @param {typeof import('rolldown')} bundler */
async function bundle(bundler) {
  const { rolldown } = bundler;
  /** @type {{ dependencies: Record<string, string> }} */
  const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const outside = Object.keys(dependencies);
  const bundling = await rolldown({
    cwd: root,
    input: Object.fromEntries(Object.entries(entries).map(([name, module]) => [name, `src/${module}.ts`])),
    platform: 'node',
    external: (id) => outside.some((name) => id === name || id.startsWith(`${name}/`)),
    resolve: {
      extensionAlias: { '.js': ['.ts', '.js'] },
      // Its other build requires files in a way that no bundler sees.
      alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' },
    },
    // What cannot be joined must not surface as a program that does not start.
    onLog(level, log) {
      if (level === 'warn') throw new Error(log.message);
    },
  });
  // Source maps are for stack traces under `node --enable-source-maps`, which need no more than names and lines. The
  // package goes without them, and without comments, which would be a fifth of it; the code stays readable.
  const { output } = await bundling.write({
    dir: folder,
    format: 'esm',
    sourcemap: !isRelease,
    comments: { jsdoc: !isRelease },
    sourcemapExcludeSources: true,
  });
  await bundling.close();
  const page = await bundleExplorer(bundler, root, join(folder, pageFolder));
  const app = await bundleExplorerApp(bundler, root, join(folder, appFile));
  writeFileSync(join(folder, 'LICENSES.txt'), licences([...output, ...page, ...app]));
  return [...output.map(({ fileName }) => fileName), appFile, 'LICENSES.txt'];
}

/**
 * Deletes what only builds long ago were made of. The last few stay: a program that was started from one of them loads
 * some of its files when it first needs them, which may be after the next build.
 * @param {readonly string[]} files
 */
function dropOldBuilds(files) {
  const list = join(folder, 'builds.json');
  const others = buildsIn(list).filter((build) => build.join() !== files.join());
  const kept = [files, ...others].slice(0, keptBuilds);
  writeFileSync(list, JSON.stringify(kept));
  const needed = new Set([...kept.flat(), 'builds.json', pageFolder]);
  for (const file of readdirSync(folder)) if (!needed.has(file)) rmSync(join(folder, file));
}

/**
 * The files of each earlier build; none if the list is not there, or was cut off.
 * @param {string} list
 * @returns {string[][]}
 */
function buildsIn(list) {
  try {
    return JSON.parse(readFileSync(list, 'utf8'));
  } catch {
    return [];
  }
}

/** Deletes what was compiled from modules that are gone: the compiler leaves it, and `npm pack` would take it along. */
function dropLeftovers() {
  const compiled = join(root, 'dist');
  for (const file of readdirSync(compiled, { recursive: true, encoding: 'utf8' })) {
    const [, module] = /^(?!bundle[\\/])(.+?)(?:\.d\.ts|\.js)$/.exec(file) ?? [];
    if (module !== undefined && !existsSync(join(root, 'src', `${module}.ts`))) rmSync(join(compiled, file));
  }
}

/**
 * The licence of each package that was taken in, which has to come along with its code.
 * @param {readonly import('rolldown').RolldownOutput['output'][number][]} files
 */
function licences(files) {
  const modules = files.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []));
  const packages = new Set(modules.flatMap((id) => packageFolder(id) ?? []));
  const parts = [...packages].sort().map((path) => {
    const { name, version, license } = JSON.parse(readFileSync(join(path, 'package.json'), 'utf8'));
    const texts = readdirSync(path).filter((file) => /^(licen[cs]e|notice)/i.test(file));
    if (texts.length === 0) throw new Error(`${name} comes without the text of its licence (${license}).`);
    const text = texts.map((file) => readFileSync(join(path, file), 'utf8').trim()).join('\n\n');
    return `${name} ${version} (${license})\n\n${text}\n`;
  });
  return ['The files in this folder contain code of these packages.\n', ...parts].join(
    `\n${'-'.repeat(80)}\n\n`,
  );
}

/**
 * The folder of the package that a module belongs to, or undefined for one of ours.
 * @param {string} id
 */
function packageFolder(id) {
  const mark = `${sep}node_modules${sep}`;
  const start = id.lastIndexOf(mark);
  if (start === -1) return undefined;
  const names = id.slice(start + mark.length).split(sep);
  return id.slice(0, start + mark.length) + names.slice(0, names[0]?.startsWith('@') ? 2 : 1).join(sep);
}
