import { expect, test } from 'vitest';
import { limits } from '../model/limits.js';
import { limitOutput, limitText } from './limit-output.js';

const long = { structured: { some: 'data' }, text: ['x'.repeat(limits.answerLength + 1)] };

test('an answer within the bound passes as it is', () => {
  const answer = { structured: {}, text: ['x'.repeat(limits.answerLength)] };
  expect(limitOutput(answer, true)).toBe(answer);
});

test('a read that is too long is refused, saying how to ask for less', () => {
  expect(() => limitOutput(long, true)).toThrow(
    expect.objectContaining({ code: 'LIMIT_EXCEEDED', hint: expect.stringContaining('limit and cursor') }),
  );
  expect(() => limitText(long.text[0] ?? '')).toThrow(expect.objectContaining({ code: 'LIMIT_EXCEEDED' }));
});

test('a write that was done is never answered with an error: its text is shortened', () => {
  const { structured, text } = limitOutput(long, false);
  expect(structured).toBe(long.structured);
  expect(text.join('').length).toBeLessThan(200);
});
