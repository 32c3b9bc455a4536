import type { Conflict } from '../../engine/history/merge/conflict.js';
import { quoted } from './printable.js';

/** How a conflict is named on the command line. */
export function conflictName({ id, property }: Pick<Conflict, 'id' | 'property'>): string {
  return property === undefined ? id : `${id}#${property}`;
}

/** A conflict for people: its kind, its name and what each side says. */
export function conflictLines(conflict: Conflict, ours: string, theirs: string): string[] {
  const side = (name: string, value: unknown) =>
    `    ${name}: ${value === undefined ? '(not there)' : quoted(value)}`;
  return [
    `${conflict.kind}  ${conflictName(conflict)}`,
    side('base', conflict.base),
    side(ours, conflict.ours),
    side(theirs, conflict.theirs),
  ];
}
