import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openAccessControl } from '../../src/access/open-access-control.js';
import { type HttpServer, startHttpServer } from '../../src/server/http/http-server.js';
import { type Scratch, scratchFolder, scratchStore, sqlite } from '../helpers/stores.js';

let folder: string;
let scratch: Scratch;
let server: HttpServer;

beforeAll(async () => {
  folder = await scratchFolder();
  scratch = await scratchStore(sqlite);
  const file = join(folder, 'tokens.json');
  await writeFile(file, JSON.stringify({ ann: 'a-token-that-is-long-enough-for-ann' }), { mode: 0o600 });
  const access = await openAccessControl({ tokens: { file } }, { warn: () => {} });
  server = await startHttpServer({ store: scratch.store, port: 0, access });
});
afterAll(async () => {
  await server.close();
  await scratch.dispose();
  await rm(folder, { recursive: true });
});

async function assets(): Promise<readonly string[]> {
  const page = await (await fetch(`${server.url}/`)).text();
  return Array.from(page.matchAll(/(?:href|src)="([^"]+)"/g), ([, path = '']) => path);
}

test('the page is at / and needs no token, because it holds no data', async () => {
  const page = await fetch(`${server.url}/`);
  expect(page.status).toBe(200);
  expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(await page.text()).toContain('<div id="app">');
  expect((await fetch(`${server.url}/graphs`)).status).toBe(401);
});

test('only scripts and styles of the package may run, and it talks to this server only', async () => {
  const policy = (await fetch(`${server.url}/`)).headers.get('content-security-policy') ?? '';
  expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self';");
  expect(policy).toContain("connect-src 'self'");
  expect(policy).not.toMatch(/unsafe|\*|https?:/);
  expect(await (await fetch(`${server.url}/`)).text()).not.toMatch(/<script>|<style|style=|\son\w+=/);
});

test('what the page is made of may be kept forever; the page itself is asked for again', async () => {
  const page = await fetch(`${server.url}/`);
  expect(page.headers.get('cache-control')).toBe('no-cache');
  const tag = page.headers.get('etag') ?? '';
  const again = await fetch(`${server.url}/`, { headers: { 'If-None-Match': tag } });
  expect([again.status, await again.text()]).toEqual([304, '']);
  const paths = await assets();
  expect(paths).toHaveLength(3);
  for (const path of paths) {
    expect(path).toMatch(/^assets\/[\w-]+-[\w-]{8}\.(js|css|svg)$/);
    const response = await fetch(`${server.url}/${path}`);
    expect(response.status).toBe(200);
    expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  }
});

test('only files of the page are served', async () => {
  for (const path of ['assets/index.html', 'assets/..%2Findex.html', 'assets/nothing.js', 'index.html']) {
    const response = await fetch(`${server.url}/${path}`);
    expect([path, response.status]).toEqual([path, path === 'index.html' ? 401 : 404]);
  }
});
