import { limits } from '../model/limits.js';
import { jsonText } from './tool.js';

// The most that JSON makes of one character, and what stands around a value: a comma, a line break, its indentation.
const longestEscape = 6;
const aroundValue = 40;

/**
 * How many characters an answer has as text. If it is certain without printing it that they are few enough, the number is
 * only an upper bound.
 */
export function answerLength(answer: unknown): number {
  const bound = upperBound(answer);
  return bound <= limits.answerLength ? bound : jsonText(answer).length;
}

function upperBound(value: unknown): number {
  if (typeof value === 'string') return value.length * longestEscape + aroundValue;
  if (typeof value !== 'object' || value === null) return aroundValue;
  let sum = 2 * aroundValue;
  for (const [key, member] of Object.entries(value)) {
    sum += key.length + upperBound(member);
    if (sum > limits.answerLength) return sum;
  }
  return sum;
}
