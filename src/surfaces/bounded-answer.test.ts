import { expect, test } from 'vitest';
import { limits } from '../model/limits.js';
import { bounded, boundedText } from './bounded-answer.js';

const long = { structured: { some: 'data' }, text: ['x'.repeat(limits.answerLength + 1)] };

test('an answer within the bound passes as it is', () => {
  const answer = { structured: {}, text: ['x'.repeat(limits.answerLength)] };
  expect(bounded(answer, true)).toBe(answer);
});

test('a read that is too long is refused, saying how to ask for less', () => {
  expect(() => bounded(long, true)).toThrow(
    expect.objectContaining({ code: 'LIMIT_EXCEEDED', hint: expect.stringContaining('limit and cursor') }),
  );
  expect(() => boundedText(long.text[0] ?? '')).toThrow(expect.objectContaining({ code: 'LIMIT_EXCEEDED' }));
});

test('a write that was done is never answered with an error: its text is shortened', () => {
  const { structured, text } = bounded(long, false);
  expect(structured).toBe(long.structured);
  expect(text.join('').length).toBeLessThan(200);
});
