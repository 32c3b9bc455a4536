import { readContent } from '../../file/file-signature.js';
import { diffFileLines, type LineWarning } from './diff-file-lines.js';
import { FileLines } from './file-lines.js';

/** Reads the file anew and names each line that cannot be used, by its number. */
export function listUnreadableLines(path: string): Promise<string[]> {
  return listLines(path, ({ repeats }) => !repeats);
}

/** The lines that only say again what an earlier line says: they are read, or passed over, and harm nothing. */
export function listRepeatedLines(path: string): Promise<string[]> {
  return listLines(path, ({ repeats }) => repeats);
}

async function listLines(path: string, which: (line: LineWarning) => boolean): Promise<string[]> {
  const { content } = await readContent(path);
  const { warnings } = diffFileLines(new FileLines(), content);
  return warnings.filter(which).map(({ number, reason }) => `${path}:${number}: the line ${reason}`);
}
