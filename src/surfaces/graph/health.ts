import { z } from 'zod';
import { reads } from '../annotations.js';
import { defineTool } from '../tool.js';

export const health = defineTool({
  name: 'health',
  title: 'Health',
  description: 'Whether the server is up, and which version it is. Says nothing about any graph.',
  input: z.object({}),
  output: z.object({ status: z.literal('ok'), version: z.string() }),
  annotations: reads,
  // Whoever has a grant at all may ask.
  action: () => [],
  async run({ server }) {
    return { status: 'ok' as const, version: server.version };
  },
});
