import type { NewlyUnreadable } from './diff-lines.js';

/** A broken file should be noticed, not drown everything else. */
const mostWarnings = 20;

/** Says which lines were left out of the graph, or are not as they should be. */
export function warnOfUnreadable(
  path: string,
  lines: readonly NewlyUnreadable[],
  warn: (message: string) => void,
): void {
  for (const { number, reason, adds } of lines.slice(0, mostWarnings)) {
    const effect = adds
      ? 'what it adds is read as part of that one, and it is'
      : 'it is left out of the graph and';
    warn(`${path}:${number}: the line ${reason}; ${effect} kept in the file`);
  }
  const more = lines.length - mostWarnings;
  if (more > 0) warn(`${path}: ${more} more such lines; trellis doctor lists them all`);
}
