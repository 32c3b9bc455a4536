import { readContent } from '../../file/signature.js';
import { diffLines } from './diff-lines.js';
import { FileLines } from './file-lines.js';

/** Reads the file anew and names each line that cannot be used, by its number. */
export async function checkFile(path: string): Promise<string[]> {
  const { content } = await readContent(path);
  const { newlyUnreadable } = diffLines(new FileLines(), content);
  return newlyUnreadable.map(({ number, reason }) => `${path}:${number}: the line ${reason}`);
}
