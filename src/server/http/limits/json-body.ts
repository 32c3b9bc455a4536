import { readBytesUpTo } from '../../../bounds/read-bytes-up-to.js';
import { TrellisError } from '../../../model/error.js';
import { limits } from '../../../model/limits.js';
import { decodeUtf8 } from '../../../model/text.js';
import { bodyBytes, type IncomingBody } from './body-bytes.js';

export async function readBody(body: IncomingBody, depth: number): Promise<string> {
  const declared = Number(body.req.raw.headers.get('content-length') ?? 0);
  if (declared > limits.requestBytes) throw requestTooLong();
  const text = decodeBody(await readBytesUpTo(bodyBytes(body), limits.requestBytes, requestTooLong));
  checkDepth(text, depth);
  return text;
}

function decodeBody(bytes: Uint8Array): string {
  const text = decodeUtf8(bytes);
  if (text !== undefined) return text;
  throw new TrellisError('INVALID_ARGUMENT', 'The body is not valid UTF-8.', {
    hint: 'Nothing was done. Send it as UTF-8.',
  });
}

/** Counts brackets outside strings: parsing deeply nested text costs more than this scan. */
function checkDepth(text: string, maxDepth: number): void {
  let depth = 0;
  let inString = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (inString) {
      if (code === backslash) at += 1;
      else if (code === quote) inString = false;
    } else if (code === quote) inString = true;
    else if (code === openBrace || code === openBracket) {
      depth += 1;
      if (depth > maxDepth) {
        throw new TrellisError(
          'INVALID_ARGUMENT',
          `The request is nested more than ${maxDepth} levels deep.`,
          { hint: 'Send flatter arguments.' },
        );
      }
    } else if (code === closeBrace || code === closeBracket) depth -= 1;
  }
}

const quote = 0x22;
const backslash = 0x5c;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const openBracket = 0x5b;
const closeBracket = 0x5d;

function requestTooLong(): TrellisError {
  return new TrellisError('LIMIT_EXCEEDED', `The request is longer than ${limits.requestBytes} bytes.`, {
    hint: 'Send it in several smaller calls.',
  });
}
