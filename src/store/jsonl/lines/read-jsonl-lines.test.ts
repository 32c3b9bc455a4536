import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type NumberedRecord, readJsonlLines } from './read-jsonl-lines.js';
import { splitLines } from './split-lines.js';

const entity = (name: string) =>
  `{"type":"entity","name":${JSON.stringify(name)},"entityType":"t","observations":[]}`;

async function read(content: string | Buffer, options: { chunk?: number; maxLineBytes?: number } = {}) {
  const bytes = Buffer.from(content);
  const size = options.chunk ?? 7;
  function* chunks() {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
  }
  const records: NumberedRecord[] = [];
  for await (const record of readJsonlLines(chunks(), options)) records.push(record);
  return records;
}

describe('reading a stream of lines', () => {
  test('both formats are read, with their line numbers; blank lines are skipped', async () => {
    const content = `${entity('A')}\n\n  \n{"type":"edge","from":"A","to":"B","edgeType":"t","weight":0.5}\nbroken\n`;
    expect(await read(content)).toMatchObject([
      { kind: 'node', format: 'memory', name: 'A', line: 1 },
      { kind: 'edge', format: 'mesh', weight: 0.5, line: 4 },
      { kind: 'unreadable', reason: 'is not JSON', line: 5 },
    ]);
  });

  test('CRLF, a byte order mark and a missing last newline are fine', async () => {
    expect(await read(`\ufeff${entity('A')}\r\n\r\n${entity('B')}`)).toMatchObject([
      { name: 'A', line: 1 },
      { name: 'B', line: 3 },
    ]);
  });

  test('bytes that are no UTF-8 make their line unreadable, and no other', async () => {
    const content = Buffer.concat([
      Buffer.from('{"a":"'),
      Buffer.from([0xff, 0xfe]),
      Buffer.from(`"}\n${entity('A')}`),
    ]);
    expect(await read(content)).toMatchObject([
      { kind: 'unreadable', reason: 'is not valid UTF-8' },
      { name: 'A' },
    ]);
  });

  test('a line of 10 MB is read', async () => {
    const long = 'x'.repeat(10 * 1024 * 1024);
    expect(await read(`${entity(long)}\n${entity('A')}`, { chunk: 65_536 })).toMatchObject([
      { name: long },
      { name: 'A' },
    ]);
  });

  test('a line beyond the bound is reported, not held', async () => {
    expect(await read(`${entity('x'.repeat(500))}\n${entity('A')}\n`, { maxLineBytes: 200 })).toMatchObject([
      { kind: 'unreadable', reason: 'is longer than 200 bytes', line: 1 },
      { name: 'A', line: 2 },
    ]);
  });

  test('where the chunks are cut makes no difference, and splitting the whole content finds the same lines', async () => {
    const line = fc.oneof(fc.string({ unit: 'grapheme' }).map(entity), fc.string({ unit: 'binary' }));
    const ending = fc.constantFrom('\n', '\r\n');
    const contents = fc.array(fc.tuple(line, ending)).map((pairs) => pairs.flat().join('').toWellFormed());
    await fc.assert(
      fc.asyncProperty(contents, fc.integer({ min: 1, max: 40 }), async (content, chunk) => {
        const records = await read(content, { chunk });
        expect(records).toEqual(await read(content, { chunk: 1_000_000 }));
        const lines = [...splitLines(Buffer.from(content))];
        expect(lines.map(({ number }) => number)).toEqual(records.map((record) => record.line));
      }),
    );
  });
});
