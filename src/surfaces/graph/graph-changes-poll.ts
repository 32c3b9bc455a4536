import { z } from 'zod';
import { defineTool } from '../tool.js';
import { reads } from '../tool-annotations.js';
import { changesInput, entriesOutput, readEntries } from './graph-change-entries.js';
import { branchPermission } from './graph-shapes.js';

const maxSeconds = 30;
/** Left of the time of a call to send the response. */
const marginMs = 1_000;

const input = changesInput.extend({
  wait_seconds: z
    .int()
    .min(0)
    .max(maxSeconds)
    .optional()
    .describe(`How long to wait if there are no new commits; default: ${maxSeconds}`),
});

export const graphChangesPoll = defineTool({
  name: 'changes_poll',
  argumentAliases: { cursor: 'since' },
  title: 'Wait for changes',
  description:
    'Like commits_changes, but waits for the next commit if there is none after the cursor. ' +
    'Pass since: "now" to wait for what happens next. If nothing happens in time, the response has no entries; call again with its cursor.',
  input,
  output: entriesOutput,
  annotations: reads,
  action: branchPermission<z.output<typeof input>>('read', ({ branch }) => branch),
  async run(call, { wait_seconds = maxSeconds, ...request }) {
    const end = performance.now() + Math.min(wait_seconds * 1_000, call.remainingMs() - marginMs);
    // Before the first read, so that nothing falls between the two.
    const signal = await call.history.follow(request.branch ?? call.graph.branch);
    try {
      for (let { since } = request; ; ) {
        const page = await readEntries(call, { ...request, since });
        const left = end - performance.now();
        if (page.entries.length > 0 || page.has_more || left <= 0 || call.stopping?.aborted) return page;
        since = page.cursor;
        await signal.wait(left, call.stopping);
      }
    } finally {
      signal.close();
    }
  },
});
