import { expect, test } from 'vitest';
import { decodeOffsetCursor, encodeOffsetCursor } from './cursors.js';

test('a cursor is what was issued, and nothing that merely decodes to the same', () => {
  const cursor = encodeOffsetCursor('list', 7);
  expect(decodeOffsetCursor('list', cursor)).toBe(7);
  for (const other of [
    `${cursor}=`,
    ` ${cursor}`,
    `${cursor}!`,
    `${cursor.slice(0, 3)}\n${cursor.slice(3)}`,
    '',
  ])
    expect(() => decodeOffsetCursor('list', other), other).toThrow('not issued by this tool');
});
