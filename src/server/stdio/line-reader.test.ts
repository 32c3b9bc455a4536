import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type LineEdges, LineReader } from './line-reader.js';

function read(chunks: readonly Buffer[], maxBytes: number) {
  const lines: string[] = [];
  const long: LineEdges[] = [];
  const garbled: LineEdges[] = [];
  const reader = new LineReader(maxBytes, {
    line: (text) => lines.push(text),
    tooLong: (line) => long.push(line),
    invalidUtf8: (line) => garbled.push(line),
  });
  for (const chunk of chunks) reader.push(chunk);
  reader.end();
  return { lines, long, garbled };
}

test('lines come out whole however the bytes are cut', () => {
  fc.assert(
    fc.property(
      fc.array(fc.string({ unit: 'grapheme' }).filter((line) => !line.includes('\n'))),
      fc.integer({ min: 1, max: 7 }),
      (lines, size) => {
        const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(''));
        const chunks: Buffer[] = [];
        for (let at = 0; at < bytes.length; at += size) chunks.push(bytes.subarray(at, at + size));
        expect(read(chunks, 1_000_000).lines).toEqual(lines);
      },
    ),
  );
});

test('a last line needs no newline', () => {
  expect(read([Buffer.from('one\ntwo')], 10).lines).toEqual(['one', 'two']);
});

test('a line that is too long is passed over, and those around it are not', () => {
  const long = `${'a'.repeat(600)}${'b'.repeat(600)}`;
  const { lines, long: skipped } = read([Buffer.from('one\n'), ...split(`${long}\ntwo\n`, 100)], 1_000);
  expect(lines).toEqual(['one', 'two']);
  expect(skipped).toEqual([{ head: 'a'.repeat(512), tail: 'b'.repeat(512) }]);
});

test('a line of exactly the bound is kept', () => {
  expect(read([Buffer.from(`${'a'.repeat(10)}\n`)], 10)).toMatchObject({ lines: ['a'.repeat(10)], long: [] });
});

test('a line that is no UTF-8 is passed over, and those around it are not', () => {
  const { lines, garbled } = read([Buffer.from('one\ncaf\u00e9\ntwo\n', 'latin1')], 10);
  expect(lines).toEqual(['one', 'two']);
  expect(garbled).toEqual([{ head: 'caf\u00e9', tail: 'caf\u00e9' }]);
});

function split(text: string, size: number): Buffer[] {
  return (text.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? []).map((part) => Buffer.from(part));
}
