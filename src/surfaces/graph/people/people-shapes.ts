import { z } from 'zod';
import { atLeastOne, type Permission } from '../../../access/permission.js';
import type { Node } from '../../../model/node.js';
import type { ReadOptions } from '../../../store/read-options.js';
import type { Reader } from '../../../store/reader.js';
import type { CallContext } from '../../call-context.js';
import { resolveReadableState, type StateRequest } from '../readable-state.js';

export const peopleLimitInput = (most = 1_000) =>
  z.int().min(1).max(most).default(50).describe('At most this many');

export const timeOutput = z.string().describe('ISO 8601, UTC');

export const nodeRefOutput = z.object({ name: z.string(), type: z.string() });

export function toNodeRef({ name, type }: Node): z.output<typeof nodeRefOutput> {
  return { name, type };
}

export const nodeHeaderOutput = nodeRefOutput.extend({
  summary: z.string().optional(),
  tags: z.array(z.string()).optional(),
});

/** Leaves out what is empty. */
export function toNodeHeader({ name, type, summary, tags }: Node): z.output<typeof nodeHeaderOutput> {
  return {
    ...{ name, type },
    ...(summary === null ? {} : { summary }),
    ...(tags.length === 0 ? {} : { tags: [...tags] }),
  };
}

export function readPermission(args?: StateRequest): readonly Permission[] {
  const isOpen = args === undefined || args.snapshot !== undefined;
  return [{ action: 'read', branch: isOpen ? atLeastOne : args.branch }];
}

/** Reads the state that the arguments name. */
export async function readState<T>(
  call: CallContext,
  args: StateRequest,
  work: (reader: Reader) => Promise<T>,
  length?: ReadOptions['length'],
): Promise<T> {
  const { graph, snapshot } = await resolveReadableState(call, args, (branch) => readPermission({ branch }));
  return graph.read(async (reader) => work(snapshot === undefined ? reader : await reader.at(snapshot)), {
    length,
  });
}
