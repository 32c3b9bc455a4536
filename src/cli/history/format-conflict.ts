import { z } from 'zod';
import { printable, quoteForTerminal } from './printable.js';

/** As tools list them. */
export const conflictOutput = z.looseObject({
  kind: z.string(),
  id: z.string(),
  property: z.string().optional(),
  message: z.string().optional(),
});

export type ShownConflict = Pick<z.output<typeof conflictOutput>, 'kind' | 'id' | 'property' | 'message'> & {
  readonly base?: unknown;
  readonly ours?: unknown;
  readonly theirs?: unknown;
};

function conflictName({ id, property }: ShownConflict): string {
  return property === undefined ? id : `${id}#${property}`;
}

export function formatConflict(conflict: ShownConflict, ours: string, theirs: string): string[] {
  const side = (name: string, value: unknown) =>
    `    ${name}: ${value === undefined ? '(none)' : quoteForTerminal(value)}`;
  if (conflict.message !== undefined)
    return [`${conflict.kind}  ${conflictName(conflict)}`, `    ${printable(conflict.message)}`];
  return [
    `${conflict.kind}  ${conflictName(conflict)}`,
    side('base', conflict.base),
    side(ours, conflict.ours),
    side(theirs, conflict.theirs),
  ];
}
