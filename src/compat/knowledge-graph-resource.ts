import { methodOf, type RequestSchemaName, requestSchema } from './request-schemas.js';
import type { KnowledgeGraph } from './server-memory-shapes.js';

const uri = 'memory://knowledge-graph';
const mimeType = 'application/json';

/** A manager whose graph is shown. */
export interface GraphReader {
  readGraph(): Promise<KnowledgeGraph>;
  /** Calls `listener` after each write that changed something. */
  onChange?(listener: () => void): unknown;
}

interface ResourceContents {
  [key: string]: unknown;
  contents: { uri: string; mimeType: string; text: string }[];
}

interface ResourceConfig {
  title: string;
  description: string;
  mimeType: string;
}

/** What is used of an `McpServer` to show the graph. */
export interface ResourceServer {
  registerResource(
    name: string,
    uri: string,
    config: ResourceConfig,
    read: (uri: URL) => Promise<ResourceContents>,
  ): unknown;
}

/** What is used of an `McpServer` to tell of changes. */
export interface SubscribableServer {
  readonly server: {
    registerCapabilities(capabilities: { resources: { subscribe: true } }): void;
    setRequestHandler(schema: never, handler: never): void;
    sendResourceUpdated(params: { uri: string }): Promise<void>;
  };
}

/** What clients have subscribed to, by server. */
const subscriptions = new WeakMap<object, Subscriptions>();

interface Subscriptions {
  readonly uris: Set<string>;
  readonly tell: () => Promise<void>;
}

/** Registers the whole graph as the resource `memory://knowledge-graph`. Subscribers hear of what this manager writes. */
export function registerKnowledgeGraphResource(server: ResourceServer, manager: GraphReader): void {
  const config = {
    title: 'Knowledge Graph',
    description: 'The whole knowledge graph: all entities and relations',
    mimeType,
  };
  server.registerResource('knowledge-graph', uri, config, async ({ href }) => ({
    contents: [{ uri: href, mimeType, text: JSON.stringify(await manager.readGraph(), null, 2) }],
  }));
  manager.onChange?.(() => {
    const subscribed = subscriptions.get(server);
    // A client that has gone away is no error of whoever writes.
    if (subscribed?.uris.has(uri) === true) subscribed.tell().catch(() => {});
  });
}

/** Lets clients of a server subscribe to its resources. */
export function registerKnowledgeGraphSubscriptions(server: SubscribableServer): void {
  const { server: connection } = server;
  const uris = new Set<string>();
  subscriptions.set(server, { uris, tell: () => connection.sendResourceUpdated({ uri }) });
  connection.registerCapabilities({ resources: { subscribe: true } });
  handle(connection, 'SubscribeRequestSchema', (asked) => uris.add(asked));
  handle(connection, 'UnsubscribeRequestSchema', (asked) => uris.delete(asked));
}

interface Request {
  readonly params: { readonly uri: string };
}

function handle(
  connection: SubscribableServer['server'],
  name: RequestSchemaName,
  work: (uri: string) => void,
): void {
  const answer = async ({ params }: Request) => {
    work(params.uri);
    return {};
  };
  const register = (request: unknown) =>
    Reflect.apply(connection.setRequestHandler, connection, [request, answer]);
  try {
    register(requestSchema(name));
  } catch (error) {
    // Version 2 of the SDK knows requests by their methods, and refuses schemas so.
    if (!(error instanceof TypeError)) throw error;
    register(methodOf(name));
  }
}
