import { isUtf8 } from 'node:buffer';
import { TrellisError } from '../model/error.js';
import { ingestLimits } from '../model/limits.js';
import { lineError } from './line-error.js';

export interface NumberedLine {
  /** Counted from 1, blank lines included. */
  readonly number: number;
  readonly text: string;
}

const newline = 0x0a;

/** The lines of a byte stream that are not blank, as they arrive, within the size limits. */
export async function* readIngestLines(
  stream: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  maxBytes: number,
): AsyncGenerator<NumberedLine> {
  let number = 0;
  let bytes = 0;
  let pending: Buffer[] = [];
  let pendingBytes = 0;
  const take = (part: Buffer): Buffer => {
    const whole = pending.length === 0 ? part : Buffer.concat([...pending, part]);
    pending = [];
    pendingBytes = 0;
    return whole;
  };
  for await (const chunk of stream) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) throw batchTooLarge(maxBytes);
    const buffer = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    let from = 0;
    for (let at = buffer.indexOf(newline); at !== -1; at = buffer.indexOf(newline, from)) {
      number += 1;
      // A batch may have tens of millions of empty lines.
      const isEmpty = at === from && pending.length === 0;
      const line = isEmpty ? undefined : decodeLine(take(buffer.subarray(from, at)), number);
      if (line !== undefined) yield line;
      from = at + 1;
    }
    if (from < buffer.length) {
      // A copy, because the sender may reuse the chunk.
      pending.push(Buffer.from(buffer.subarray(from)));
      pendingBytes += buffer.length - from;
      if (pendingBytes > ingestLimits.lineBytes) throw lineTooLong(number + 1);
    }
  }
  const last = decodeLine(take(Buffer.alloc(0)), number + 1);
  if (last !== undefined) yield last;
}

function decodeLine(bytes: Buffer, number: number): NumberedLine | undefined {
  if (bytes.length > ingestLimits.lineBytes) throw lineTooLong(number);
  if (!isUtf8(bytes)) throw lineError(number, 'it is not valid UTF-8.', 'Send the lines as UTF-8.');
  const text = bytes.toString('utf8');
  const clean = number === 1 && text.startsWith('\ufeff') ? text.slice(1) : text;
  return /^[ \t\r]*$/.test(clean) ? undefined : { number, text: clean };
}

function lineTooLong(line: number): TrellisError {
  return lineError(
    line,
    `it has more than ${ingestLimits.lineBytes} bytes.`,
    'Split it into several lines.',
    'LIMIT_EXCEEDED',
  );
}

function batchTooLarge(bytes: number): TrellisError {
  return new TrellisError('LIMIT_EXCEEDED', `The batch has more than ${bytes} bytes.`, {
    hint: 'Nothing was written. Send it in several batches, nodes before the edges that name them.',
    details: { bytes },
  });
}
