import { readFile } from 'node:fs/promises';
import { type Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { BrowserContextOptions, Frame, FrameLocator, Page } from 'playwright-core';
import { afterAll, expect } from 'vitest';
import { clientOf, type Era, eras, showsApps } from '../helpers/eras.js';
import type { Explorer } from './explorer.js';

/** What the specification prescribes for a page that declares no other hosts. */
const contentPolicy =
  "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; " +
  "img-src 'self' data:; media-src 'self' data:; connect-src 'none'";

const [legacy, modern] = eras;

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params: Readonly<Record<string, unknown>>;
}

interface ChatOptions {
  readonly era?: Era | undefined;
  readonly token?: string;
  readonly context?: object;
  readonly capabilities?: object;
  readonly browser?: BrowserContextOptions;
}

export interface Chat {
  readonly page: Page;
  /** The page of the server, inside two frames. */
  readonly app: FrameLocator;
  readonly appFrame: Frame;
  /** What the page sent to its host so far. */
  heard(): Promise<readonly Message[]>;
  send(method: string, params: object): Promise<void>;
}

/** A host that calls a tool for its model, and shows the page that the tool names. */
export function chatHost(at: Explorer) {
  const problems: string[] = [];
  const clients: Client[] = [];
  afterAll(async () => {
    await Promise.all(clients.map((client) => client.close()));
    // Errors of scripts, refusals of the content policy, and requests to any host.
    expect(problems).toEqual([]);
  });
  return async function chat(
    path: string,
    tool: string,
    args: Record<string, unknown>,
    { era = modern ?? legacy, token, context = {}, capabilities, browser = {} }: ChatOptions = {},
  ): Promise<Chat> {
    if (era === undefined) throw new Error('There is no protocol.');
    const client = clientOf(era, showsApps);
    clients.push(client);
    const headers = token === undefined ? {} : { Authorization: `Bearer ${token}` };
    const url = new URL(`${at.server.url}/graphs/${path}/mcp`);
    await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }));
    const { tools } = await client.listTools();
    const called = tools.find(({ name }) => name === tool);
    const uri = called?._meta?.['ui/resourceUri'];
    if (typeof uri !== 'string') throw new Error(`${tool} names no page.`);
    const [content] = (await client.readResource({ uri })).contents;
    if (content === undefined || !('text' in content)) throw new Error('The page is not text.');
    const shown = {
      html: content.text,
      capabilities: capabilities ?? { serverTools: {}, updateModelContext: { text: {} } },
      context: { theme: 'light', toolInfo: { tool: called }, ...context },
      input: args,
      result: await client.callTool({ name: tool, arguments: args }),
    };
    const page = await (await at.browser.newContext(browser)).newPage();
    page.setDefaultTimeout(120_000);
    page.on('pageerror', (error) => problems.push(error.message));
    page.on('console', (message) => {
      if (message.type() === 'error') problems.push(message.text());
    });
    await page.route('**', async (route) => {
      const { hostname, pathname } = new URL(route.request().url());
      if (!['host.test', 'sandbox.test'].includes(hostname)) {
        problems.push(route.request().url());
        return route.abort();
      }
      const file = new URL(`./chat-host${pathname}`, import.meta.url);
      await route.fulfill({
        contentType: pathname.endsWith('.js') ? 'text/javascript' : 'text/html',
        headers: hostname === 'sandbox.test' ? { 'Content-Security-Policy': contentPolicy } : {},
        body: await readFile(file, 'utf8'),
      });
    });
    await page.exposeFunction('whatToShow', () => shown);
    await page.exposeFunction('callServer', (call: { name: string; arguments: Record<string, unknown> }) =>
      client.callTool(call),
    );
    await page.goto('http://host.test/host.html');
    const app = page.frameLocator('iframe').frameLocator('iframe');
    await app.getByRole('heading', { level: 1 }).waitFor();
    const appFrame = page.frames().find((frame) => frame.parentFrame()?.parentFrame() === page.mainFrame());
    if (appFrame === undefined) throw new Error('The page has no frame.');
    // A click while the frame grows can miss.
    const heights = async () => [
      await page.locator('iframe').evaluate(({ clientHeight }) => clientHeight),
      await appFrame.evaluate(() => Math.ceil(document.body.getBoundingClientRect().height)),
    ];
    await expect.poll(async () => new Set(await heights()).size, { timeout: 60_000 }).toBe(1);
    return {
      ...{ page, app, appFrame },
      heard: () => page.evaluate<Message[]>('window.heard'),
      send: async (method, params) => {
        await page.evaluate(`window.sendToPage(${JSON.stringify({ method, params })})`);
      },
    };
  };
}
