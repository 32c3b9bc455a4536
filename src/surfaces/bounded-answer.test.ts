import { expect, test } from 'vitest';
import { z } from 'zod';
import { limits } from '../model/limits.js';
import { adds, reads } from './annotations.js';
import { bounded, boundedText } from './bounded-answer.js';
import { defineTool } from './tool.js';

const tool = (annotations: typeof reads) =>
  defineTool({
    name: 'any',
    title: 'Any',
    description: 'Any.',
    input: z.object({}),
    output: z.object({}),
    annotations,
    action: 'read',
    run: async () => ({}),
  });
const long = { structured: { some: 'data' }, text: ['x'.repeat(limits.answerLength + 1)] };

test('an answer within the bound passes as it is', () => {
  const answer = { structured: {}, text: ['x'.repeat(limits.answerLength)] };
  expect(bounded(tool(reads), answer)).toBe(answer);
});

test('a read that is too long is refused, saying how to ask for less', () => {
  expect(() => bounded(tool(reads), long)).toThrow(
    expect.objectContaining({ code: 'LIMIT_EXCEEDED', hint: expect.stringContaining('limit and cursor') }),
  );
  expect(() => boundedText(long.text[0] ?? '')).toThrow(expect.objectContaining({ code: 'LIMIT_EXCEEDED' }));
});

test('a write that was done is never answered with an error: its text is shortened', () => {
  const { structured, text } = bounded(tool(adds), long);
  expect(structured).toBe(long.structured);
  expect(text.join('').length).toBeLessThan(200);
});
