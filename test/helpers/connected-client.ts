import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { createMcpServer } from '../../src/server/mcp-server.js';
import type { RequestContext } from '../../src/surfaces/request-context.js';

/** A client of what is bound, connected in memory. */
export async function connectedClient(context: RequestContext): Promise<Client> {
  const [clientEnd, serverEnd] = InMemoryTransport.createLinkedPair();
  const client = new Client({ name: 'tests', version: '0' });
  await createMcpServer(context, 'subscribed').connect(serverEnd);
  await client.connect(clientEnd);
  return client;
}
