import { limits } from '../model/limits.js';
import { printedAnswer } from './json-text.js';

// The most that JSON makes of one character, and what stands around a value: a comma, a line break, its indentation.
const longestEscape = 6;
const aroundValue = 40;

/**
 * How many characters an answer has as text. If it is certain without printing it that they are few enough, or too many, the
 * number is only a bound.
 */
export function answerLength(answer: unknown): number | Promise<number> {
  const most = upperBound(answer);
  if (most <= limits.answerLength) return most;
  const least = lowerBound(answer);
  return least > limits.answerLength ? least : printedAnswer(answer).then(({ length }) => length);
}

/** The texts alone. */
function lowerBound(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 0;
  let sum = 0;
  for (const member of Object.values(value)) sum += lowerBound(member);
  return sum;
}

function upperBound(value: unknown): number {
  if (typeof value === 'string') return value.length * longestEscape + aroundValue;
  if (typeof value !== 'object' || value === null) return aroundValue;
  let sum = 2 * aroundValue;
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length && sum <= limits.answerLength; at++) sum += upperBound(value[at]);
    return sum;
  }
  for (const [key, member] of Object.entries(value)) {
    sum += key.length + upperBound(member);
    if (sum > limits.answerLength) return sum;
  }
  return sum;
}
