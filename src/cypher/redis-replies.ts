export type RedisReply = string | number | null | readonly RedisReply[] | RedisReplyError;

/** What the server says is wrong with a command. */
export class RedisReplyError extends Error {
  override readonly name = 'RedisReplyError';
}

interface Parsed {
  readonly reply: RedisReply;
  readonly end: number;
}

/** Puts the bytes of a connection together to replies (RESP 2). */
export class RedisReplies {
  readonly #onReply: (reply: RedisReply) => void;
  #chunks: Buffer[] = [];
  #length = 0;
  /** Parsing a long reply again with each of its chunks would take the square of its length. */
  #tryAt = 0;

  constructor(onReply: (reply: RedisReply) => void) {
    this.#onReply = onReply;
  }

  push(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#length += chunk.length;
    if (this.#length < this.#tryAt) return;
    let bytes = Buffer.concat(this.#chunks, this.#length);
    for (let parsed = parseReply(bytes, 0); parsed !== undefined; parsed = parseReply(bytes, 0)) {
      bytes = bytes.subarray(parsed.end);
      this.#tryAt = 0;
      this.#onReply(parsed.reply);
    }
    this.#chunks = [bytes];
    this.#length = bytes.length;
    this.#tryAt = bytes.length < 65_536 ? 0 : bytes.length * 2;
  }
}

/** Undefined if the reply is not complete yet. */
function parseReply(bytes: Buffer, start: number): Parsed | undefined {
  const lineEnd = bytes.indexOf('\r\n', start);
  if (lineEnd < 0) return undefined;
  const line = bytes.toString('utf8', start + 1, lineEnd);
  const next = lineEnd + 2;
  switch (bytes.toString('latin1', start, start + 1)) {
    case '+':
      return { reply: line, end: next };
    case '-':
      return { reply: new RedisReplyError(line), end: next };
    case ':':
      return { reply: Number(line), end: next };
    case '$':
      return parseText(bytes, next, Number(line));
    case '*':
      return parseList(bytes, next, Number(line));
    default:
      throw new Error('The server does not speak the protocol of Redis.');
  }
}

function parseText(bytes: Buffer, start: number, length: number): Parsed | undefined {
  if (length < 0) return { reply: null, end: start };
  const end = start + length;
  if (bytes.length < end + 2) return undefined;
  return { reply: bytes.toString('utf8', start, end), end: end + 2 };
}

function parseList(bytes: Buffer, start: number, length: number): Parsed | undefined {
  if (length < 0) return { reply: null, end: start };
  const items: RedisReply[] = [];
  let end = start;
  for (let count = 0; count < length; count += 1) {
    const parsed = parseReply(bytes, end);
    if (parsed === undefined) return undefined;
    items.push(parsed.reply);
    end = parsed.end;
  }
  return { reply: items, end };
}
