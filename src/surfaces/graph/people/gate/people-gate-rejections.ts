import { z } from 'zod';
import { decodeNumbersCursor, encodeNumbersCursor } from '../../../../engine/read/cursors.js';
import { paginate } from '../../../../engine/read/page.js';
import { cursorInput, nextCursorOutput, pageExtras, storedName, timeInput } from '../../../common-shapes.js';
import { defineTool } from '../../../tool.js';
import { reads } from '../../../tool-annotations.js';
import { branchInput } from '../../graph-shapes.js';
import { peopleLimitInput, readPermission, timeOutput } from '../people-shapes.js';
import { requireReviewer } from './people-gate-shapes.js';

const name = 'people_gate_rejections';

export const gateRejectionsOutput = z.object({
  rejections: z.array(
    z.object({
      id: z.int(),
      code: z.string(),
      tool: z.string(),
      actor_id: z.string(),
      at: timeOutput,
      message: z.string(),
      arguments: z.unknown(),
      details: z.unknown(),
    }),
  ),
  nextCursor: nextCursorOutput,
});

export const peopleGateRejections = defineTool({
  name,
  title: 'List rejected writes',
  description: 'List the writes that the gate of this graph has rejected on any branch, newest first.',
  input: z.object({
    since: timeInput('Only those of this time or later'),
    code: storedName.optional().describe('Only those with this error code'),
    limit: peopleLimitInput(),
    cursor: cursorInput,
    branch: branchInput('The branch on which you have the permission'),
  }),
  output: gateRejectionsOutput,
  annotations: reads,
  action: readPermission,
  async run(call, { since, code, limit, cursor, branch = call.graph.branch }) {
    requireReviewer(call, branch, name);
    const [before] = cursor === undefined ? [] : decodeNumbersCursor(name, 1, cursor);
    const found = await call.history.rejections({ since, code, before, limit: limit + 1 });
    const { page, more } = paginate(found, limit);
    const nextCursor = more ? encodeNumbersCursor(name, [page.at(-1)?.id ?? 0]) : undefined;
    return {
      rejections: page.map(({ actor, time, ...rejection }) => ({
        ...rejection,
        ...{ actor_id: actor, at: new Date(time).toISOString() },
      })),
      ...pageExtras({ nextCursor }),
    };
  },
});
