// What a coding agent does with its memory: remember something in one session, find it in the next.
import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

const trellis = fileURLToPath(new URL('../../dist/bundle/trellis.js', import.meta.url));
const store = fileURLToPath(new URL('./data/memory.db', import.meta.url));
rmSync(new URL('./data', import.meta.url), { recursive: true, force: true });

/** Starts Trellis as a client does, lets `use` work with it, and ends it. */
async function session(use) {
  const client = new Client({ name: 'example', version: '1.0.0' });
  const args = [trellis, 'stdio', '--store', store];
  await client.connect(new StdioClientTransport({ command: process.execPath, args, stderr: 'ignore' }));
  await use(client);
  await client.close();
}

await session(async (client) => {
  const { tools } = await client.listTools();
  console.log(`Tools: ${tools.map(({ name }) => name).join(', ')}`);
  await client.callTool({
    name: 'create_entities',
    arguments: {
      entities: [
        {
          name: 'billing-service',
          entityType: 'service',
          observations: ['Tests need the environment variable TZ=UTC', 'Deployed from the branch release'],
        },
      ],
    },
  });
  console.log('Session 1 remembered billing-service.');
});

await session(async (client) => {
  const { structuredContent } = await client.callTool({
    name: 'search_nodes',
    arguments: { query: 'which environment variable do the tests need', mode: 'ranked' },
  });
  console.log('Session 2 found:', JSON.stringify(structuredContent, null, 2));
});
