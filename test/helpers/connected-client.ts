import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { InFlight } from '../../src/server/in-flight.js';
import { createMcpServer } from '../../src/server/mcp-server.js';
import type { RequestContext } from '../../src/surfaces/dispatch.js';

/** A client of what is bound, connected in memory. */
export async function connectedClient(binding: RequestContext): Promise<Client> {
  const [clientEnd, serverEnd] = InMemoryTransport.createLinkedPair();
  const client = new Client({ name: 'tests', version: '0' });
  await createMcpServer(binding, { updates: 'subscribed', calls: new InFlight() }).connect(serverEnd);
  await client.connect(clientEnd);
  return client;
}
