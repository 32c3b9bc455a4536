import type { NewlyUnreadable } from './diff-lines.js';

/** A broken file should be noticed, not drown everything else. */
const mostWarnings = 20;

/** Says which lines were left out of the graph. */
export function warnOfUnreadable(
  path: string,
  lines: readonly NewlyUnreadable[],
  warn: (message: string) => void,
): void {
  for (const { number, reason } of lines.slice(0, mostWarnings)) {
    warn(`${path}:${number}: the line ${reason}; it is left out of the graph and kept in the file`);
  }
  const more = lines.length - mostWarnings;
  if (more > 0) warn(`${path}: ${more} more unreadable lines; trellis doctor lists them all`);
}
