import type { NewlyUnreadable } from './diff-lines.js';

/** A broken file should be noticed, not drown everything else. */
const mostWarnings = 20;

const effects: Readonly<Record<NewlyUnreadable['effect'], string>> = {
  left_out: 'it is left out of the graph and',
  adds: 'what it adds is read as part of that one, and it is',
  replaced: 'that character is shown as U+FFFD, and the line is',
};

/** Says which lines were left out of the graph, or are not as they should be. */
export function warnOfUnreadable(
  path: string,
  lines: readonly NewlyUnreadable[],
  warn: (message: string) => void,
): void {
  for (const { number, reason, effect } of lines.slice(0, mostWarnings)) {
    warn(`${path}:${number}: the line ${reason}; ${effects[effect]} kept in the file`);
  }
  const more = lines.length - mostWarnings;
  if (more > 0) warn(`${path}: ${more} more such lines; trellis doctor lists them all`);
}
