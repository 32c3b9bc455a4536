import type { Conflict } from '../../engine/history/merge/conflict.js';
import { printable, quoteForTerminal } from './printable.js';

function conflictName({ id, property }: Pick<Conflict, 'id' | 'property'>): string {
  return property === undefined ? id : `${id}#${property}`;
}

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
