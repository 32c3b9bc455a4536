import { z } from 'zod';
import { defineTool } from '../tool.js';
import { reads } from '../tool-annotations.js';

export const serverHealth = defineTool({
  name: 'health',
  title: 'Health',
  description: 'Check that the server is up, and get its version.',
  input: z.object({}),
  output: z.object({ status: z.literal('ok'), version: z.string() }),
  annotations: reads,
  // Any grant is enough.
  action: () => [],
  async run({ server }) {
    return { status: 'ok' as const, version: server.version };
  },
});
