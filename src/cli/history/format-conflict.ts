import type { Conflict } from '../../engine/history/merge/conflict.js';
import { printable, quoteForTerminal } from './printable.js';

/** How a conflict is named on the command line. */
function conflictName({ id, property }: Pick<Conflict, 'id' | 'property'>): string {
  return property === undefined ? id : `${id}#${property}`;
}

/** A conflict for people: its kind, its name and what each side says, or what the schema has against both. */
export function formatConflict(conflict: Conflict, ours: string, theirs: string): string[] {
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
