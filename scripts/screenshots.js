// @ts-check
// Makes the pictures of the explorer in docs/images/ from the sample memory: `node scripts/screenshots.js`, after
// `npm run build`. Needs Chromium.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { loadDemo } from '../dist/cli/demo/load-demo.js';
import { startHttpServer } from '../dist/server/http/http-server.js';
import { openStoreAtLocation } from '../dist/store/open-store-at-location.js';

const images = fileURLToPath(new URL('../docs/images/', import.meta.url));
const executablePath = process.env['TRELLIS_TEST_CHROMIUM'] ?? '/usr/bin/chromium';

/** The name of each picture, the address that it shows, and what has to be there first. */
const pictures = [
  { name: 'inbox', hash: 'inbox', ready: 'Branches waiting for review' },
  { name: 'node', hash: 'node/service/payment-service', ready: 'Three retries were too many' },
  { name: 'graph', hash: 'graph/service/payment-service', ready: 'Types' },
  { name: 'merge-review', hash: 'branches/review%2Fharbor-2', ready: 'One conflict' },
];

const folder = mkdtempSync(join(tmpdir(), 'trellis-screenshots-'));
const store = await openStoreAtLocation(join(folder, 'demo.db'));
// A fixed moment, so that the pictures change only with the page.
await loadDemo(store, 'demo', Date.parse('2026-06-15T10:00:00Z'));
const server = await startHttpServer({ store, port: 0, root: { graph: 'demo', surface: 'memory' } });
const browser = await chromium.launch({
  executablePath,
  args: ['--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'],
});
mkdirSync(images, { recursive: true });
for (const { name, hash, ready } of pictures) {
  const page = await browser.newPage({ viewport: { width: 1200, height: 760 }, timezoneId: 'UTC' });
  await page.goto(`${server.url}/#/demo/${hash}`);
  await page.getByText(ready).first().waitFor();
  // The layout of a graph takes a moment to settle.
  await page.waitForTimeout(name === 'graph' ? 4_000 : 500);
  await page.screenshot({ path: join(images, `${name}.png`) });
  await page.close();
}
await browser.close();
await server.close();
await store.close();
rmSync(folder, { recursive: true });
