import { z } from 'zod';
import { defineTool } from '../tool.js';
import { reads } from '../tool-annotations.js';

export const serverHealth = defineTool({
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
