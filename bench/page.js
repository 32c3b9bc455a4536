// @ts-check
// The explorer in a real browser: time to the first view, bytes, and how long the page is blocked while somebody types
// into the search. `--sizes 1000,100000`. Needs Chromium.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { chromium } from 'playwright-core';
import { withScratch } from './lib/scratch.js';
import { table } from './lib/table.js';

const { values } = parseArgs({ options: { sizes: { type: 'string', default: '1000,100000' } } });
const program = fileURLToPath(new URL('../dist/bundle/trellis.js', import.meta.url));
const typed = 'memory of harbours';

/** As text, since it runs in the browser. */
const watchTasks = `
  globalThis.tasks = [0];
  new PerformanceObserver((list) => tasks.push(...list.getEntries().map(({ duration }) => duration))).observe({
    entryTypes: ['longtask'],
  });`;

const rows = [];
for (const size of values.sizes.split(',').map(Number)) {
  rows.push(await withScratch(async (folder) => measure(folder, size)));
}
console.log(table(['nodes', 'first view', 'bytes', 'graph drawn', 'longest task', 'answer to typing'], rows));

/**
 * @param {string} folder
 * @param {number} size
 */
async function measure(folder, size) {
  const file = join(folder, 'memory.jsonl');
  await writeFile(file, [...lines(size)].join('\n'));
  await run(folder, ['import', file, '--store', 'memory.db']);
  const server = spawn(
    process.execPath,
    [program, 'serve', '--store', 'memory.db', '--port', '0', '--json'],
    {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  const [printed] = await once(server.stdout, 'data');
  const url = JSON.parse(String(printed)).url.replace(/mcp$/, '');
  const browser = await chromium.launch({
    executablePath: process.env['TRELLIS_TEST_CHROMIUM'] ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'],
  });
  try {
    const page = await browser.newPage();
    let bytes = 0;
    page.on('requestfinished', async (request) => {
      // What still arrives when the page is closed does not count.
      const sizes = await request.sizes().catch(() => undefined);
      bytes += sizes?.responseBodySize ?? 0;
    });
    await page.addInitScript(watchTasks);
    const start = performance.now();
    await page.goto(url);
    await page.getByRole('heading', { name: /to review|Nothing new/ }).waitFor();
    const first = performance.now() - start;
    const loaded = bytes;
    const drawing = performance.now();
    await page.goto(`${url}#/default/graph`);
    await page.getByText(/^[1-9][\d,.]* nodes/).waitFor();
    const drawn = performance.now() - drawing;
    await page.goto(`${url}#/default/search`);
    await page.getByRole('heading', { name: 'Recently changed' }).waitFor();
    await page.evaluate('tasks.splice(1)');
    await page.getByRole('searchbox').pressSequentially(typed, { delay: 60 });
    const asked = performance.now();
    await page.getByRole('heading', { name: 'Found' }).waitFor();
    const answered = performance.now() - asked;
    const longest = Number(await page.evaluate('Math.max(...tasks)'));
    return [
      size.toLocaleString('en'),
      ...[first, loaded, drawn, longest, answered].map((value, index) =>
        index === 1 ? `${Math.round(value / 1_000)} KB` : `${Math.round(value)} ms`,
      ),
    ];
  } finally {
    await browser.close();
    server.kill('SIGKILL');
    await once(server, 'exit');
  }
}

/** @param {number} size */
function* lines(size) {
  for (let index = 0; index < size; index += 1) {
    const observations = [`Number ${index} of the harbours`, `Has a memory of ${index * 7} ships`];
    yield JSON.stringify({
      type: 'entity',
      name: `harbour ${index}`,
      entityType: `kind ${index % 12}`,
      observations,
    });
  }
  for (let index = 1; index < size; index += 1) {
    const relation = {
      from: `harbour ${index}`,
      to: `harbour ${Math.floor(index / 10)}`,
      relationType: 'near',
    };
    yield JSON.stringify({ type: 'relation', ...relation });
  }
}

/**
 * @param {string} cwd
 * @param {readonly string[]} args
 */
async function run(cwd, args) {
  const child = spawn(process.execPath, [program, ...args], { cwd, stdio: ['ignore', 'ignore', 'inherit'] });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`trellis ${args.join(' ')} failed.`);
}
