// @ts-check
// Runs the protocol's own conformance suite against `trellis serve`. The server runs on this Node; the suite needs a newer one.
import { spawn } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { applicable, notApplicable, notCheckable } from './scenarios.js';

const trellis = fileURLToPath(new URL('../../dist/bundle/trellis.js', import.meta.url));
/** The suite, and a Node that is new enough for it; npm keeps both once they are fetched. */
const suite = [
  '-y',
  '-p',
  'node@24',
  '-p',
  '@modelcontextprotocol/conformance@0.2.0-alpha.12',
  'conformance',
];

const folder = await mkdtemp(join(tmpdir(), 'trellis-conformance-'));
const server = spawn(
  process.execPath,
  [trellis, 'serve', '--store', join(folder, 'trellis.db'), '--port', '0', '--json'],
  {
    stdio: ['ignore', 'pipe', 'inherit'],
  },
);
let failed = 0;
try {
  const url = await addressOf(server.stdout);
  for (const [version, scenarios] of Object.entries(applicable)) {
    for (const scenario of scenarios) failed += await check(url, version, scenario);
  }
} finally {
  server.kill('SIGTERM');
  await new Promise((resolve) => server.once('close', resolve));
  await rm(folder, { recursive: true, force: true });
}
console.log('\nNot run, and why:');
for (const [scenarios, reason] of notApplicable) console.log(`  ${scenarios}: ${reason}`);
process.exitCode = failed === 0 ? 0 : 1;

/**
 * @param {string} url
 * @param {string} version
 * @param {string} scenario
 * @returns {Promise<number>} How many checks failed that should not have.
 */
async function check(url, version, scenario) {
  const output = join(folder, `${version}-${scenario}`);
  await run('npx', [
    ...suite,
    'server',
    '--url',
    url,
    '--scenario',
    scenario,
    '--spec-version',
    version,
    '-o',
    output,
  ]);
  const checks = await checksIn(output);
  const bad = checks.filter(({ status }) => status === 'FAILURE');
  const unexpected = bad.filter(({ id }) => !(id in notCheckable));
  const passed = checks.filter(({ status }) => status === 'SUCCESS').length;
  console.log(
    `${unexpected.length === 0 && passed > 0 ? 'ok  ' : 'FAIL'} ${version} ${scenario}: ${passed} checks passed`,
  );
  for (const { id } of bad) console.log(`       ${id}: ${notCheckable[id] ?? 'FAILED'}`);
  return passed === 0 ? Math.max(1, unexpected.length) : unexpected.length;
}

/**
 * @param {string} output
 * @returns {Promise<{ id: string, status: string }[]>}
 */
async function checksIn(output) {
  const files = await readdir(output, { recursive: true });
  const found = files.find((file) => file.endsWith('checks.json'));
  return found === undefined ? [] : JSON.parse(await readFile(join(output, found), 'utf8'));
}

/**
 * @param {string} command
 * @param {readonly string[]} args
 */
function run(command, args) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: 'ignore' });
    child.once('error', reject);
    child.once('close', resolve);
  });
}

/**
 * @param {import('node:stream').Readable} stdout
 * @returns {Promise<string>}
 */
async function addressOf(stdout) {
  let text = '';
  for await (const line of createInterface({ input: stdout })) {
    text += line;
    try {
      return JSON.parse(text).url;
    } catch {
      // Not all of it is here yet.
    }
  }
  throw new Error(`The server did not start: ${text}`);
}
