// @ts-check
import { readdirSync, readFileSync } from 'node:fs';
import { Refusal, run } from './repository.js';

/** The only files that may be in the package. Whatever else is in it got there by mistake. */
const allowed = [
  /^(package\.json|README\.md|LICENSE|CHANGELOG\.md)$/,
  /^dist\/bundle\/([\w.-]+\.js|LICENSES\.txt|explorer-app\.html)$/,
  /^dist\/bundle\/web\/(index\.html|assets\/[\w.-]+-[\w-]{8}\.(js|css|svg))$/,
  /^dist\/(?!bundle\/)[\w/.-]+(?<!\.test)\.d\.ts$/,
  /^docs\/[\w/-]+\.(md|png|svg)$/,
  /^schemas\/[\w-]+\/[\w-]+\.schema\.json$/,
  /^assets\/(README\.md|trellis\.yaml|static-model\.bin)$/,
];

/** Files that must be there besides what package.json points to. */
const required = [
  'package.json',
  'README.md',
  'LICENSE',
  'CHANGELOG.md',
  'dist/bundle/LICENSES.txt',
  'dist/bundle/web/index.html',
  'dist/bundle/explorer-app.html',
  'assets/trellis.yaml',
  'assets/static-model.bin',
  'schemas/work/task.schema.json',
];

/** Builds the package as npm would publish it, and holds its files to the lists. Returns what it found, in a line. */
export function checkPackage() {
  run('npm', 'run', '--silent', 'prepack');
  const [{ files, size }] = JSON.parse(run('npm', 'pack', '--dry-run', '--json', '--ignore-scripts'));
  const paths = files.map((/** @type {{ path: string }} */ { path }) => path);
  const faults = faultsOf(paths);
  if (faults.length > 0)
    throw new Refusal(`the package is wrong:\n${faults.map((fault) => `  ${fault}`).join('\n')}`);
  return `${paths.length} files, ${(size / 1e6).toFixed(1)} MB packed`;
}

/**
 * @param {readonly string[]} paths
 * @returns {string[]}
 */
function faultsOf(paths) {
  const needed = [...required, ...pointedTo(), ...filesIn('docs')];
  return [
    ...paths
      .filter((path) => !allowed.some((pattern) => pattern.test(path)))
      .map((path) => `unexpected: ${path}`),
    ...needed.filter((path) => !paths.includes(path)).map((path) => `missing: ${path}`),
  ];
}

/** @param {string} folder */
function filesIn(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => `${parentPath}/${name}`);
}

/** What `bin` and `exports` of package.json lead to. */
function pointedTo() {
  const { bin, exports } = JSON.parse(readFileSync('package.json', 'utf8'));
  const targets = Object.values(exports).flatMap((target) =>
    typeof target === 'string' ? target : Object.values(target),
  );
  return [...Object.values(bin), ...targets].map((path) => path.replace(/^\.\//, ''));
}
