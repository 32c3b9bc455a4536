import { createReadStream } from 'node:fs';
import { type RawLine, rawLine } from '../../store/jsonl/lines/split-lines.js';

const newline = 0x0a;

/** The lines of a file that are not blank, one at a time, without ever holding more than one line and one chunk. */
export async function* fileLines(
  path: string,
  onBytes: (count: number) => void = () => {},
): AsyncGenerator<RawLine> {
  let number = 1;
  let pending: Buffer[] = [];
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 })) {
    const buffer: Buffer = chunk;
    onBytes(buffer.length);
    let start = 0;
    for (let end = buffer.indexOf(newline); end !== -1; end = buffer.indexOf(newline, start)) {
      const line = rawLine(Buffer.concat([...pending, buffer.subarray(start, end)]), number);
      if (line !== undefined) yield line;
      number += 1;
      pending = [];
      start = end + 1;
    }
    if (start < buffer.length) pending.push(buffer.subarray(start));
  }
  const last = rawLine(Buffer.concat(pending), number);
  if (last !== undefined) yield last;
}
