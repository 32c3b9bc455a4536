export type RedisReply = string | number | null | readonly RedisReply[] | RedisReplyError;

/** What the server says is wrong with a command. */
export class RedisReplyError extends Error {
  override readonly name = 'RedisReplyError';
}

interface OpenList {
  readonly items: RedisReply[];
  readonly length: number;
}

/** A list is open until its items have come. */
type Part =
  | { readonly reply: RedisReply; readonly end: number }
  | { readonly length: number; readonly end: number };

/** Puts the bytes of a connection together to replies (RESP 2). */
export class RedisReplies {
  readonly #onReply: (reply: RedisReply) => void;
  readonly #open: OpenList[] = [];
  #rest: Buffer = Buffer.alloc(0);

  constructor(onReply: (reply: RedisReply) => void) {
    this.#onReply = onReply;
  }

  push(chunk: Buffer): void {
    const bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    let at = 0;
    for (let part = parsePart(bytes, at); part !== undefined; part = parsePart(bytes, at)) {
      at = part.end;
      if ('reply' in part) this.#add(part.reply);
      else this.#open.push({ items: [], length: part.length });
    }
    this.#rest = bytes.subarray(at);
  }

  #add(reply: RedisReply): void {
    const list = this.#open.at(-1);
    if (list === undefined) {
      this.#onReply(reply);
      return;
    }
    list.items.push(reply);
    if (list.items.length < list.length) return;
    this.#open.pop();
    this.#add(list.items);
  }
}

/** Undefined if it has not come completely. */
function parsePart(bytes: Buffer, start: number): Part | undefined {
  const lineEnd = bytes.indexOf('\r\n', start);
  if (lineEnd < 0) return undefined;
  const line = bytes.toString('utf8', start + 1, lineEnd);
  const end = lineEnd + 2;
  switch (bytes.toString('latin1', start, start + 1)) {
    case '+':
      return { reply: line, end };
    case '-':
      return { reply: new RedisReplyError(line), end };
    case ':':
      return { reply: Number(line), end };
    case '$':
      return parseText(bytes, end, Number(line));
    case '*':
      if (Number(line) > 0) return { length: Number(line), end };
      return { reply: Number(line) < 0 ? null : [], end };
    default:
      throw new Error('The server does not speak the protocol of Redis.');
  }
}

function parseText(bytes: Buffer, start: number, length: number): Part | undefined {
  if (length < 0) return { reply: null, end: start };
  const end = start + length;
  if (bytes.length < end + 2) return undefined;
  return { reply: bytes.toString('utf8', start, end), end: end + 2 };
}
