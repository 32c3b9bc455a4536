import { afterAll, beforeAll, beforeEach } from 'vitest';
import { type HttpServer, startHttpServer } from '../../src/server/http/http-server.js';
import { type Scratch, type StoreKind, scratchStore } from '../helpers/stores.js';
import { GraphClient } from './graph-client.js';

/** The graph of the test that runs. */
export interface ServedGraph {
  readonly scratch: Scratch;
  readonly server: HttpServer;
  readonly name: string;
  /** The URL that its routes begin with. */
  readonly at: string;
  /** The tools of its graph surface. */
  readonly tools: GraphClient;
}

/** Has a server run for the tests of a block, with an empty graph for each of them. */
export function serveGraphs(
  kind: StoreKind,
  options: { readonly report?: (error: unknown) => void } = {},
): ServedGraph {
  let scratch: Scratch;
  let server: HttpServer;
  let graphs = 0;
  beforeAll(async () => {
    scratch = await scratchStore(kind);
    server = await startHttpServer({ ...options, store: scratch.store, port: 0 });
  });
  afterAll(async () => {
    await server.close();
    await scratch.dispose();
  });
  beforeEach(async () => {
    graphs += 1;
    await scratch.store.createGraph(`g${graphs}`);
  });
  return {
    get scratch() {
      return scratch;
    },
    get server() {
      return server;
    },
    get name() {
      return `g${graphs}`;
    },
    get at() {
      return `${server.url}/graphs/g${graphs}`;
    },
    get tools() {
      return new GraphClient(`${this.at}/mcp`);
    },
  };
}
