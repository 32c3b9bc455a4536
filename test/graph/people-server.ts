import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect } from 'vitest';
import { openAccessControl } from '../../src/access/open-access-control.js';
import { startHttpServer } from '../../src/server/http/http-server.js';
import { toolRouteTable } from '../../src/server/http/rest/graph-tool-routes.js';
import { routeTool } from '../../src/server/http/rest/route-tools.js';
import type { SurfaceSettings } from '../../src/surfaces/surface.js';
import { type Scratch, type StoreKind, scratchFolder, scratchStore } from '../helpers/stores.js';
import { GraphClient } from './graph-client.js';

const policy = `
version: 1
protected_branches: [main]
rules:
  - { id: boss, allow: { actors: { actor: boss }, actions: [read, export, change, gate_write, schema_apply, branch_create, branch_delete, branch_merge] } }
  - { id: reader, allow: { actors: { actor: reader }, actions: [read], branch_scope: protected } }
  - { id: editor, allow: { actors: { actor: editor }, actions: [read, change], branch_scope: protected } }
  - { id: writer, allow: { actors: { actor: writer }, actions: [change] } }
  - { id: gatekeeper, allow: { actors: { actor: gatekeeper }, actions: [gate_write] } }
`;
/** `reader` may read main alone, `editor` may change it, too; `writer` may change everything and read nothing. */
const actors = ['boss', 'reader', 'editor', 'writer', 'gatekeeper', 'nobody'] as const;
export type PeopleActor = (typeof actors)[number];

export interface Answer {
  readonly status: number;
  readonly body: Record<string, unknown>;
}

const ajv = new Ajv2020({ strict: true, allErrors: true, allowUnionTypes: true });

/** A server with a graph, with tokens for everybody above or without. */
export class PeopleServer {
  readonly scratch: Scratch;
  readonly url: string;
  graph = 'work';
  #graphs = 0;
  readonly #end: () => Promise<void>;
  readonly #isOpen: boolean;

  private constructor(scratch: Scratch, url: string, isOpen: boolean, end: () => Promise<void>) {
    this.scratch = scratch;
    this.url = url;
    this.#isOpen = isOpen;
    this.#end = end;
  }

  static async start(
    kind: StoreKind,
    { open = false, settings }: { open?: boolean; settings?: SurfaceSettings } = {},
  ): Promise<PeopleServer> {
    const folder = await scratchFolder();
    const scratch = await scratchStore(kind);
    await scratch.store.createGraph('work');
    await writeFile(join(folder, 'policy.yaml'), policy);
    const tokens = Object.fromEntries(actors.map((id) => [id, tokenOf(id)]));
    await writeFile(join(folder, 'tokens.json'), JSON.stringify(tokens), { mode: 0o600 });
    const access = open
      ? undefined
      : await openAccessControl(
          {
            tokens: { file: join(folder, 'tokens.json') },
            policy: { server: { file: join(folder, 'policy.yaml') } },
          },
          { warn: () => {} },
        );
    const server = await startHttpServer({
      ...{ store: scratch.store, port: 0, ...(access && { access }) },
      ...(settings && { settings: () => settings }),
    });
    return new PeopleServer(scratch, server.url, open, async () => {
      await server.close();
      await scratch.dispose();
      await rm(folder, { recursive: true });
    });
  }

  /** Makes an empty graph, which later calls are about. */
  async freshGraph(): Promise<void> {
    this.graph = `work-${++this.#graphs}`;
    await this.scratch.store.createGraph(this.graph);
  }

  close(): Promise<void> {
    return this.#end();
  }

  memory(actor: PeopleActor = 'boss', branch = 'main'): GraphClient {
    return this.mcp('memory/', actor, branch);
  }

  mcp(surface: string, actor: PeopleActor = 'boss', branch = 'main'): GraphClient {
    const query = `?branch=${encodeURIComponent(branch)}`;
    return new GraphClient(`${this.url}/graphs/${this.graph}/${surface}mcp${query}`, this.headers(actor));
  }

  async ask(actor: PeopleActor, method: string, path: string, body?: unknown): Promise<Answer> {
    const response = await fetch(`${this.url}/graphs/${this.graph}/${path}`, {
      method,
      headers: { ...this.headers(actor), 'Content-Type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  }

  /** A request that must succeed, with an answer as its tool describes it. */
  async ok<T = Answer['body']>(
    method: string,
    path: string,
    body?: unknown,
    actor: PeopleActor = 'boss',
  ): Promise<T> {
    const answer = await this.ask(actor, method, path, body);
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    const isAsked = (one: string) =>
      new RegExp(`^${one.replaceAll(/:\w+/g, '[^/]+')}$`).test(path.split('?')[0] ?? '');
    const route = toolRouteTable.find((one) => one.method === method && isAsked(one.path));
    const schema = route && routeTool(route.tool).output?.();
    if (schema !== undefined) expect(ajv.validate(schema, answer.body), ajv.errorsText()).toBe(true);
    return answer.body as T;
  }

  headers(actor: PeopleActor): Record<string, string> {
    return this.#isOpen ? {} : { Authorization: `Bearer ${tokenOf(actor)}` };
  }
}

export function tokenOf(actor: string): string {
  return `token-of-${actor}-${'x'.repeat(32)}`;
}
