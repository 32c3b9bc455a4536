import { z } from 'zod';
import { isRecord, ownValue } from '../model/is-record.js';
import type { KnowledgeGraph } from './server-memory-shapes.js';

const uri = 'memory://knowledge-graph';
const mimeType = 'application/json';

/** The requests of a subscription, by the names that the MCP SDK has for their schemas. */
const methods = {
  SubscribeRequestSchema: 'resources/subscribe',
  UnsubscribeRequestSchema: 'resources/unsubscribe',
} as const;

/** Not a dependency: whoever passes a server has it, and has most likely loaded it already. */
const sdkTypes = '@modelcontextprotocol/sdk/types.js';
let sdk: unknown;
import(sdkTypes).then(
  (loaded: unknown) => {
    sdk = loaded;
  },
  () => {},
);

interface GraphReader {
  readGraph(): Promise<KnowledgeGraph>;
  /** Calls `listener` after each write that changed something. */
  onChange?(listener: () => void): unknown;
}

interface ResourceContents {
  [key: string]: unknown;
  contents: { uri: string; mimeType: string; text: string }[];
}

/** The part of an `McpServer` that shows the graph. */
interface ResourceServer {
  registerResource(
    name: string,
    uri: string,
    config: { title: string; description: string; mimeType: string },
    read: (uri: URL) => Promise<ResourceContents>,
  ): unknown;
}

/** The part of an `McpServer` that reports changes. */
interface SubscribableServer {
  readonly server: {
    registerCapabilities(capabilities: { resources: { subscribe: true } }): void;
    setRequestHandler(schema: never, handler: never): void;
    sendResourceUpdated(params: { uri: string }): Promise<void>;
  };
}

/** What clients have subscribed to, by server. */
const subscriptions = new WeakMap<
  object,
  { readonly uris: Set<string>; readonly notify: () => Promise<void> }
>();

/** Registers the whole graph as the resource `memory://knowledge-graph`. Subscribers are notified of this manager's writes. */
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
    // A write must not fail because a client has gone away.
    if (subscribed?.uris.has(uri) === true) subscribed.notify().catch(() => {});
  });
}

/** Lets clients of a server subscribe to its resources. */
export function registerKnowledgeGraphSubscriptions(server: SubscribableServer): void {
  const { server: connection } = server;
  const uris = new Set<string>();
  subscriptions.set(server, { uris, notify: () => connection.sendResourceUpdated({ uri }) });
  connection.registerCapabilities({ resources: { subscribe: true } });
  handle(connection, 'SubscribeRequestSchema', (subscribed) => uris.add(subscribed));
  handle(connection, 'UnsubscribeRequestSchema', (subscribed) => uris.delete(subscribed));
}

function handle(
  connection: SubscribableServer['server'],
  name: keyof typeof methods,
  work: (uri: string) => void,
): void {
  const respond = async ({ params }: { readonly params: { readonly uri: string } }) => {
    work(params.uri);
    return {};
  };
  const register = (request: unknown) =>
    Reflect.apply(connection.setRequestHandler, connection, [request, respond]);
  try {
    const schema = isRecord(sdk) ? ownValue(sdk, name) : undefined;
    register(
      schema ?? z.object({ method: z.literal(methods[name]), params: z.looseObject({ uri: z.string() }) }),
    );
  } catch (error) {
    // Version 2 of the SDK takes the method instead of a schema, and refuses a schema with a TypeError.
    if (!(error instanceof TypeError)) throw error;
    register(methods[name]);
  }
}
