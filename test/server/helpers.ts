import {
  type Client,
  type ClientCapabilities,
  SSEClientTransport,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';
import { clientOf, type Era } from '../helpers/eras.js';

export const rpcHeaders = {
  'Content-Type': 'application/json',
  Accept: 'application/json, text/event-stream',
};

/** The body of a call of a tool. */
export function callBody(name: string, args: unknown = {}): string {
  return JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } });
}

/** Runs something with a client that is connected to an address, and closes it. */
export async function withClient<T>(
  url: string,
  work: (client: Client) => Promise<T>,
  {
    era = { era: '2026', mode: { pin: '2026-07-28' } },
    headers = {},
    capabilities,
  }: { era?: Era; headers?: Record<string, string>; capabilities?: ClientCapabilities } = {},
): Promise<T> {
  const client = clientOf(era, capabilities);
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
  return closing(client, work);
}

/** The same over the older transport. */
export async function withSseClient<T>(
  url: string,
  work: (client: Client) => Promise<T>,
  headers: Record<string, string> = {},
  capabilities?: ClientCapabilities,
): Promise<T> {
  const client = clientOf({ era: '2025', mode: 'legacy' }, capabilities);
  await client.connect(new SSEClientTransport(new URL(url), { requestInit: { headers } }));
  return closing(client, work);
}

async function closing<T>(client: Client, work: (client: Client) => Promise<T>): Promise<T> {
  try {
    return await work(client);
  } finally {
    await client.close();
  }
}

export async function toolNames(client: Client): Promise<string[]> {
  return (await client.listTools()).tools.map(({ name }) => name);
}

/** A request of the protocol of 2026 to be told of changes of these resources. */
export function listenRequest(uris: readonly string[], headers: Record<string, string>): RequestInit {
  return {
    method: 'POST',
    headers: {
      ...rpcHeaders,
      ...headers,
      'MCP-Protocol-Version': '2026-07-28',
      'Mcp-Method': 'subscriptions/listen',
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'subscriptions/listen',
      params: {
        notifications: { resourceSubscriptions: uris },
        _meta: {
          'io.modelcontextprotocol/protocolVersion': '2026-07-28',
          'io.modelcontextprotocol/clientInfo': { name: 'test', version: '0' },
          'io.modelcontextprotocol/clientCapabilities': {},
        },
      },
    }),
  };
}

/** What is heard of a stream, and whether it has ended. */
export function hear(response: Response): { readonly text: string; readonly ended: boolean } {
  const heard = { text: '', ended: false };
  const decoder = new TextDecoder();
  (async () => {
    for await (const chunk of response.body ?? []) heard.text += decoder.decode(chunk);
  })()
    .catch(() => {})
    .finally(() => {
      heard.ended = true;
    });
  return heard;
}
