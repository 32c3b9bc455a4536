import { readContent } from '../../file/file-signature.js';
import { diffFileLines, type LineWarning } from './diff-file-lines.js';
import { FileLines } from './file-lines.js';

export function listUnreadableLines(path: string): Promise<string[]> {
  return listLines(path, ({ repeats }) => !repeats);
}

/** Lines that repeat an earlier one, which is harmless. */
export function listRepeatedLines(path: string): Promise<string[]> {
  return listLines(path, ({ repeats }) => repeats);
}

async function listLines(path: string, which: (line: LineWarning) => boolean): Promise<string[]> {
  const { content } = await readContent(path);
  const { warnings } = diffFileLines(new FileLines(), content);
  return warnings.filter(which).map(({ number, reason }) => `${path}:${number}: the line ${reason}`);
}
