import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { AccessControl } from '../../src/access/access-control.js';
import { openAccessControl } from '../../src/access/open-access-control.js';
import type { StoredQuerySettings } from '../../src/query/stored/stored-query.js';
import { type HttpServer, type Root, startHttpServer } from '../../src/server/http/http-server.js';
import type { SurfaceSettings } from '../../src/surfaces/surface.js';
import { GraphClient } from '../graph/graph-client.js';
import { type Scratch, type StoreKind, scratchFolder, scratchStore } from '../helpers/stores.js';

export const schema = `node Recipe @description("a dish") {
  slug: String @key
  minutes: I32?
  level: enum(easy, medium, hard)
}
node Cook { email: String @key  born: Date? }
edge Wrote: Recipe -> Cook @card(0..1)
edge Tried: Cook -> Recipe { stars: U32 }
`;

export const quick = `query quick($most: I32)
  @description("Recipes that take no longer than so many minutes.")
  @instruction("Ask the user how much time there is.")
{
  match { $r: Recipe  $r.minutes <= $most }
  return { $r.slug as slug, $r.minutes as minutes }
  order { $r.minutes, $r.slug }
}
`;

export const byCook = `query by_cook($email: String) @mcp(tool_name: "recipes-of") {
  match { $c: Cook { email: $email }  $r: Recipe  $r wrote $c }
  return { $r.slug as slug }
  order { $r.slug }
}
`;

const addRecipe = `query add_recipe($slug: String, $minutes: I32?) @description("Adds an easy recipe.") {
  insert Recipe { slug: $slug, minutes: $minutes, level: "easy" }
}
`;

export const hidden = `query all_slugs() @mcp(expose: false) {
  match { $r: Recipe }
  return { $r.slug as slug }
  order { $r.slug }
}
`;

const lines = [
  '{"type":"Recipe","data":{"slug":"soup","minutes":20,"level":"easy"}}',
  '{"type":"Recipe","data":{"slug":"roast","minutes":180,"level":"hard"}}',
  '{"type":"Cook","data":{"email":"ada@x"}}',
  '{"edge":"Wrote","from":"soup","to":"ada@x","data":{}}',
  '{"edge":"Tried","from":"ada@x","to":"roast","data":{"stars":4}}',
].join('\n');

/** The stored queries that most tests have, as the configuration names them: file by name. */
export const menu: Readonly<Record<string, string>> = {
  quick,
  by_cook: byCook,
  add_recipe: addRecipe,
  all_slugs: hidden,
};

export interface KitchenOptions {
  /** By graph; default: `work` with the menu. */
  readonly graphs?: Readonly<Record<string, SurfaceSettings>>;
  readonly policy?: string;
  /** How actors prove who they are; default: tokens, if there is a policy. */
  readonly actors?: readonly string[];
  readonly access?: AccessControl;
  readonly tokenOf?: (actor: string) => Promise<string> | string;
  readonly root?: Root;
  readonly report?: (error: unknown) => void;
}

/** A server with recipes in its graphs, over real HTTP. */
export class Kitchen {
  readonly #dispose: () => Promise<void>;

  private constructor(
    readonly folder: string,
    readonly scratch: Scratch,
    readonly server: HttpServer,
    readonly tokenOf: ((actor: string) => Promise<string> | string) | undefined,
    dispose: () => Promise<void>,
  ) {
    this.#dispose = dispose;
  }

  static async open(kind: StoreKind, options: KitchenOptions = {}): Promise<Kitchen> {
    const folder = await scratchFolder();
    const scratch = await scratchStore(kind);
    const graphs = options.graphs ?? { work: { queries: await storeQueries(folder, menu) } };
    try {
      for (const name of Object.keys(graphs)) await stock(scratch, name);
      const server = await startHttpServer({
        store: scratch.store,
        port: 0,
        settings: (graph) => graphs[graph] ?? {},
        access: options.access ?? (await accessOf(folder, options)),
        root: options.root ?? 'server',
        ...(options.report === undefined ? {} : { report: options.report }),
      });
      const dispose = async () => {
        await server.close();
        await scratch.dispose();
        await rm(folder, { recursive: true });
      };
      const tokenOf = options.tokenOf ?? (options.policy === undefined ? undefined : staticToken);
      return new Kitchen(folder, scratch, server, tokenOf, dispose);
    } catch (error) {
      await scratch.dispose();
      await rm(folder, { recursive: true });
      throw error;
    }
  }

  /** The graph surface of a graph, as an actor sees it. */
  async as(actor?: string, graph = 'work', query = ''): Promise<GraphClient> {
    return new GraphClient(`${this.server.url}/graphs/${graph}/mcp${query}`, await this.headers(actor));
  }

  /** An empty graph more. */
  async openGraph(name: string): Promise<GraphClient> {
    await this.scratch.store.createGraph(name);
    return this.as(undefined, name);
  }

  /** A request to a REST route of a graph. */
  async rest(
    actor: string | undefined,
    method: string,
    path: string,
    body?: unknown,
    graph = 'work',
  ): Promise<{ status: number; body: Record<string, unknown> }> {
    const response = await fetch(`${this.server.url}/graphs/${graph}/${path}`, {
      method,
      headers: { ...(await this.headers(actor)), 'Content-Type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  }

  async headers(actor: string | undefined): Promise<Record<string, string>> {
    if (actor === undefined || this.tokenOf === undefined) return {};
    return { Authorization: `Bearer ${await this.tokenOf(actor)}` };
  }

  close(): Promise<void> {
    return this.#dispose();
  }
}

/** Writes each query into a file of its own, and names it as a configuration would. */
export async function storeQueries(
  folder: string,
  queries: Readonly<Record<string, string>>,
): Promise<StoredQuerySettings[]> {
  const settings: StoredQuerySettings[] = [];
  for (const [index, [name, text]] of Object.entries(queries).entries()) {
    const file = join(folder, `${name}.gq`);
    await mkdir(folder, { recursive: true });
    await writeFile(file, text);
    settings.push({ name, file, source: `trellis.yaml:${index + 1}` });
  }
  return settings;
}

/** Actors have tokens that are as good as any. */
export function staticToken(actor: string): string {
  return `${actor}-${'t'.repeat(40)}`;
}

async function accessOf(folder: string, options: KitchenOptions): Promise<AccessControl | undefined> {
  const { policy, actors = [] } = options;
  if (policy === undefined) return undefined;
  await writeFile(join(folder, 'policy.yaml'), policy);
  const tokens = Object.fromEntries(actors.map((actor) => [actor, staticToken(actor)]));
  await writeFile(join(folder, 'tokens.json'), JSON.stringify(tokens), { mode: 0o600 });
  return openAccessControl(
    {
      tokens: { file: join(folder, 'tokens.json') },
      policy: { server: { file: join(folder, 'policy.yaml') } },
    },
    { warn: () => {} },
  );
}

/** Gives a graph its schema and a few rows, through the surface itself. */
async function stock({ store }: Scratch, graph: string): Promise<void> {
  await store.createGraph(graph);
  const server = await startHttpServer({ store, port: 0, root: 'server' });
  const tools = new GraphClient(`${server.url}/graphs/${graph}/mcp`);
  await tools.ok('schema_apply', { schema });
  await tools.ok('ingest', { ndjson: lines });
  await server.close();
}
