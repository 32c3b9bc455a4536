import type { LineWarning } from './diff-file-lines.js';

/** A broken file should be noticed, not drown everything else. */
const maxWarnings = 20;

const effectTexts: Readonly<Record<LineWarning['effect'], string>> = {
  left_out: 'it is left out of the graph and',
  adds: 'what it adds is read as part of that one, and it is',
  replaced: 'that character is shown as U+FFFD, and the line is',
};

/** Says which lines were left out of the graph, or are not as they should be. */
export function warnAboutLines(
  path: string,
  lines: readonly LineWarning[],
  warn: (message: string) => void,
): void {
  for (const { number, reason, effect } of lines.slice(0, maxWarnings)) {
    warn(`${path}:${number}: the line ${reason}; ${effectTexts[effect]} kept in the file`);
  }
  const more = lines.length - maxWarnings;
  if (more > 0) warn(`${path}: ${more} more such lines; trellis doctor lists them all`);
}
