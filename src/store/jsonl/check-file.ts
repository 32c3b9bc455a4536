import { readContent } from '../../file/file-signature.js';
import { diffLines, type NewlyUnreadable } from './diff-lines.js';
import { FileLines } from './file-lines.js';

/** Reads the file anew and names each line that cannot be used, by its number. */
export function checkFile(path: string): Promise<string[]> {
  return linesOf(path, ({ repeats }) => !repeats);
}

/** The lines that only say again what an earlier line says: they are read, or passed over, and harm nothing. */
export function repeatedLinesOf(path: string): Promise<string[]> {
  return linesOf(path, ({ repeats }) => repeats);
}

async function linesOf(path: string, which: (line: NewlyUnreadable) => boolean): Promise<string[]> {
  const { content } = await readContent(path);
  const { newlyUnreadable } = diffLines(new FileLines(), content);
  return newlyUnreadable.filter(which).map(({ number, reason }) => `${path}:${number}: the line ${reason}`);
}
