import { TrellisError } from '../model/error.js';
import { limits } from '../model/limits.js';
import type { ToolOutput } from './tool.js';

/** Keeps an answer within what clients take: a read that is too long is refused, a write is done and answers briefly. */
export function limitOutput(answer: ToolOutput, isRead: boolean): ToolOutput {
  const length = answer.text.reduce((sum, text) => sum + text.length, 0);
  if (length <= limits.answerLength) return answer;
  if (isRead) throw outputTooLong(length);
  return {
    ...answer,
    text: ['Done. The result is too long to print; see structuredContent.'],
  };
}

/** The same for a resource, which has nothing but its text. */
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
