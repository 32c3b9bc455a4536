// The yardstick: Trellis's own server with tools that do nothing, so that what remains is what the memory costs.
// They answer to the names of the measured tools, so that the calls are the same.
import { z } from 'zod';
import { serveStdio } from '../../dist/server/stdio/serve-stdio.js';
import { openInMemorySqliteStore } from '../../dist/store/sqlite/sqlite-store.js';
import { defineTool } from '../../dist/surfaces/tool.js';
import { reads } from '../../dist/surfaces/tool-annotations.js';

const names = ['create_entities', 'add_observations', 'open_nodes', 'search_nodes'];
const tools = names.map((name) =>
  defineTool({
    name,
    title: 'Nothing',
    description: 'Does nothing.',
    input: z.object({}),
    output: z.object({}),
    annotations: reads,
    action: 'read',
    run: async () => ({}),
  }),
);

const store = await openInMemorySqliteStore();
await store.createGraph('default');
await serveStdio({
  store,
  surface: {
    name: 'nothing',
    serverName: 'nothing',
    title: 'Nothing',
    instructions: '',
    tools,
    resources: [],
    prompts: [],
  },
});
await store.close();
