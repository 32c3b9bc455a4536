import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from 'playwright-core';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { openAccessControl } from '../../src/access/open-access-control.js';
import { loadDemo } from '../../src/cli/demo/load-demo.js';
import { type Clock, systemClock } from '../../src/model/clock.js';
import type { HttpOptions } from '../../src/server/http/http-options.js';
import { type HttpServer, startHttpServer } from '../../src/server/http/http-server.js';
import type { Store } from '../../src/store/store-contract.js';
import { full } from '../helpers/full.js';
import { type Scratch, type StoreKind, scratchStore, sqlite } from '../helpers/stores.js';
import { callBody, rpcHeaders } from '../server/helpers.js';

/** The one that TRELLIS_TEST_CHROMIUM names or, in `npm run test:full`, Debian's Chromium; undefined where there is none. */
const executablePath = findChromium();

/** Tests in a real browser; skipped where there is none. */
export const describeInBrowser = describe.skipIf(executablePath === undefined);

export interface Explorer {
  readonly server: HttpServer;
  readonly scratch: Scratch;
  readonly browser: Browser;
  /** Opens an address of the explorer in a tab of its own, with an empty storage. */
  open(hash: string, options?: BrowserContextOptions): Promise<Page>;
  /** A REST call as another client makes it. */
  call(method: string, path: string, body?: unknown): Promise<unknown>;
  /** What an agent does through MCP. */
  remember(name: string, ...observations: readonly string[]): Promise<void>;
  exists(name: string): Promise<boolean>;
}

interface Options {
  readonly kind?: StoreKind;
  readonly access?: Parameters<typeof openAccessControl>[0];
  readonly settings?: NonNullable<HttpOptions['settings']>;
  /** By which the server tells whether a token has expired. */
  readonly clock?: Clock;
  /** Other hosts that the tests go to; what their pages load is not checked. */
  readonly visits?: readonly string[];
  /** Before the server starts. */
  readonly prepare?: (store: Store) => Promise<void>;
}

/** A server with the sample memory in the graph `demo`, and a browser. Use it within `describeInBrowser`. */
export function explorer({
  kind = sqlite,
  access,
  settings,
  prepare,
  clock = systemClock,
  visits = [],
}: Options = {}): Explorer {
  let server: HttpServer | undefined;
  let scratch: Scratch | undefined;
  let browser: Browser | undefined;
  const contexts: BrowserContext[] = [];
  const problems: string[] = [];
  beforeAll(async () => {
    scratch = await scratchStore(kind);
    await loadDemo(scratch.store, 'demo', Date.now());
    await prepare?.(scratch.store);
    server = await startHttpServer({
      store: scratch.store,
      port: 0,
      settings,
      access: access === undefined ? undefined : await openAccessControl(access, { warn: () => {}, clock }),
    });
    browser = await chromium.launch({
      ...(executablePath === undefined ? {} : { executablePath }),
      args: ['--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'],
    });
  });
  afterAll(async () => {
    await browser?.close();
    await server?.close();
    await scratch?.dispose();
    // Errors of scripts, refusals of the content policy, and requests to other hosts.
    expect(problems).toEqual([]);
  });
  const started = <T>(value: T | undefined): T => {
    if (value === undefined) throw new Error('Use it in a test, after beforeAll.');
    return value;
  };
  return {
    get server() {
      return started(server);
    },
    get scratch() {
      return started(scratch);
    },
    get browser() {
      return started(browser);
    },
    async open(hash, options = {}) {
      const context = await started(browser).newContext({
        viewport: { width: 1280, height: 900 },
        ...options,
      });
      contexts.push(context);
      const page = await context.newPage();
      page.setDefaultTimeout(120_000);
      page.on('pageerror', (error) => problems.push(`${hash}: ${error.message}`));
      page.on('console', (message) => {
        // A refused request is an answer, which the page shows.
        const isRefusal = message.text().startsWith('Failed to load resource');
        if (message.type() === 'error' && !isRefusal) problems.push(`${hash}: ${message.text()}`);
      });
      page.on('request', (request) => {
        const url = request.url();
        if (visits.some((host) => url.startsWith(host)) && request.isNavigationRequest()) return;
        if (!url.startsWith(started(server).url) && !/^(blob|data):/.test(url))
          problems.push(`${hash}: ${url}`);
      });
      await page.goto(`${started(server).url}/${hash}`);
      return page;
    },
    async call(method, path, body) {
      const response = await fetch(`${started(server).url}${path}`, {
        method,
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const answer: unknown = await response.json();
      if (!response.ok) throw new Error(JSON.stringify(answer));
      return answer;
    },
    async remember(name, ...observations) {
      const entities = [{ name, entityType: 'note', observations }];
      const response = await fetch(`${started(server).url}/graphs/demo/memory/mcp`, {
        ...{ method: 'POST', headers: rpcHeaders, body: callBody('create_entities', { entities }) },
      });
      expect(await response.text()).toContain('structuredContent');
    },
    exists: (name) =>
      started(scratch).store.read(
        { graph: 'demo' },
        async (reader) => (await reader.nodesNamed([name])).length > 0,
      ),
  };
}

/** Waits until everything on the page is loaded. */
export async function settled(page: Page): Promise<void> {
  await expect.poll(() => page.locator('[aria-busy=true]').count()).toBe(0);
}

/** Keeps requests from reaching the server until the returned function is called. */
export async function hold(page: Page, url: string): Promise<() => void> {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(url, async (route) => {
    await released;
    await route.continue();
  });
  return release;
}

function findChromium(): string | undefined {
  const given = process.env['TRELLIS_TEST_CHROMIUM'];
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const installed = full ? folders.map((folder) => join(folder, 'chromium')) : [];
  const candidates = given === undefined ? installed : [given];
  return candidates.find((path) => {
    try {
      accessSync(path, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}
