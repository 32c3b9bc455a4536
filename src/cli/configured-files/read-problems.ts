import { sourceErrorLines } from '../../language/source-problem.js';
import { TrellisError } from '../../model/error.js';

export async function readProblems(reading: () => Promise<unknown>): Promise<readonly string[]> {
  try {
    await reading();
    return [];
  } catch (error) {
    if (!(error instanceof TrellisError)) throw error;
    return sourceErrorLines(error);
  }
}
