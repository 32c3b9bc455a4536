import { limits } from '../model/limits.js';
import { jsonTextAsync } from './json-text.js';

// The longest escape of a character, and the comma, line break and indentation around a value.
const longestEscape = 6;
const valueOverhead = 40;

/**
 * The length as text. If a bound already decides whether it is within the limit, returns that bound without printing.
 */
export function outputLength(value: unknown): number | Promise<number> {
  const most = maxLength(value);
  if (most <= limits.answerLength) return most;
  const least = minLength(value);
  return least > limits.answerLength ? least : jsonTextAsync(value).then(({ length }) => length);
}

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
