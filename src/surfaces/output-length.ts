import { limits } from '../model/limits.js';
import { jsonTextAsync } from './json-text.js';

// The most that JSON makes of one character, and what stands around a value: a comma, a line break, its indentation.
const longestEscape = 6;
const valueOverhead = 40;

/**
 * How many characters an answer has as text. If it is certain without printing it that they are few enough, or too many, the
 * number is only a bound.
 */
export function outputLength(answer: unknown): number | Promise<number> {
  const most = maxLength(answer);
  if (most <= limits.answerLength) return most;
  const least = minLength(answer);
  return least > limits.answerLength ? least : jsonTextAsync(answer).then(({ length }) => length);
}

/** The texts alone. */
function minLength(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 0;
  let sum = 0;
  for (const member of Object.values(value)) sum += minLength(member);
  return sum;
}

function maxLength(value: unknown): number {
  if (typeof value === 'string') return value.length * longestEscape + valueOverhead;
  if (typeof value !== 'object' || value === null) return valueOverhead;
  let sum = 2 * valueOverhead;
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length && sum <= limits.answerLength; at++) sum += maxLength(value[at]);
    return sum;
  }
  for (const [key, member] of Object.entries(value)) {
    sum += key.length + maxLength(member);
    if (sum > limits.answerLength) return sum;
  }
  return sum;
}
