import { stat } from 'node:fs/promises';
import { ifExists } from './file-errors.js';

/** Zero if there is no such file. */
export async function fileSize(path: string): Promise<number> {
  return (await ifExists(stat(path)))?.size ?? 0;
}
