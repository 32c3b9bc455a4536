import { describe, expect, test } from 'vitest';
import { Diagnostics } from './diagnostics.js';
import { sourcePosition } from './source.js';
import { sourceError } from './source-problem.js';

describe('the position of an offset', () => {
  test.each([
    ['', 0, '1:1'],
    ['ab', 1, '1:2'],
    ['ab', 2, '1:3'],
    ['a\nb', 1, '1:2'],
    ['a\nb', 2, '2:1'],
    ['a\r\nb', 3, '2:1'],
    ['\n\n\n', 3, '4:1'],
    ['ab', 99, '1:3'],
  ])('in %j at %i is %s', (text, offset, place) => {
    const { line, column } = sourcePosition(text, offset);
    expect(`${line}:${column}`).toBe(place);
  });
});

describe('an error about a source', () => {
  const language = { code: 'SCHEMA_INVALID', hint: 'Fix it.' } as const;

  test('has code, place, what was expected and what was meant', () => {
    const diagnostics = new Diagnostics();
    diagnostics.add(2, 'unknown_type', 'There is no node type Cok.', {
      meant: 'Cok',
      among: ['Cook'],
      expected: ['a node'],
    });
    expect(sourceError({ text: '\n Cok', file: 'a.pg' }, diagnostics.all, language)).toMatchObject({
      code: 'SCHEMA_INVALID',
      message: 'a.pg:2:2: There is no node type Cok. Did you mean "Cook"?',
      hint: 'Fix it.',
      details: {
        file: 'a.pg',
        problems: [
          {
            code: 'unknown_type',
            line: 2,
            column: 2,
            message: 'There is no node type Cok.',
            expected: ['a node'],
            suggestion: 'Cook',
          },
        ],
      },
    });
  });

  test('says the same thing at the same place once', () => {
    const diagnostics = new Diagnostics();
    for (const at of [3, 1, 3]) diagnostics.add(at, 'x', 'Wrong.');
    expect(sourceError({ text: 'abcdef' }, diagnostics.all, language).message).toBe(
      '2 problems:\n  line 1, column 2: Wrong.\n  line 1, column 4: Wrong.',
    );
  });

  test('names its folder on this machine alone', () => {
    const diagnostics = new Diagnostics();
    diagnostics.add(0, 'x', 'Wrong.');
    expect(sourceError({ text: 'a', file: '/srv/secret/work.pg' }, diagnostics.all, language)).toMatchObject({
      message: '/srv/secret/work.pg:1:1: Wrong.',
      publicMessage: 'work.pg:1:1: Wrong.',
    });
  });
});
