import { TrellisError } from '../model/error.js';
import { limits } from '../model/limits.js';
import type { ToolOutput } from './tool.js';

/** Refuses a read that is too long; shortens the text of a write, which is done. */
export function limitOutput(output: ToolOutput, isRead: boolean): ToolOutput {
  const length = output.text.reduce((sum, text) => sum + text.length, 0);
  if (length <= limits.answerLength) return output;
  if (isRead) throw outputTooLong(length);
  return { ...output, text: ['Done. The result is too long to print; see structuredContent.'] };
}

export function limitText(text: string): string {
  if (text.length > limits.answerLength) throw outputTooLong(text.length);
  return text;
}

function outputTooLong(length: number): TrellisError {
  return new TrellisError(
    'LIMIT_EXCEEDED',
    `The result would have ${length} characters; at most ${limits.answerLength} are sent.`,
    { hint: 'Ask for a page with limit and cursor, or for fewer names or types, as the tool allows.' },
  );
}
