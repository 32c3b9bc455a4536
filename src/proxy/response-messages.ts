import { createParser } from 'eventsource-parser';
import { readBytesUpTo } from '../bounds/read-bytes-up-to.js';
import { TrellisError } from '../model/error.js';
import { proxyLimits } from '../model/limits.js';

export interface EventStreamOptions {
  /** Called with the id of each event, from which a broken stream can resume. */
  readonly seen?: (id: string) => void;
}

export async function* responseMessages(
  response: Response,
  { seen }: EventStreamOptions = {},
): AsyncGenerator<string> {
  if (response.body === null) return;
  const type = response.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase();
  if (type === 'text/event-stream') yield* streamMessages(response.body, seen);
  else if (type === 'application/json') yield await readBodyText(response.body);
  else await response.body.cancel();
}

async function* streamMessages(
  body: ReadableStream<Uint8Array>,
  seen: EventStreamOptions['seen'],
): AsyncGenerator<string> {
  let arrived: string[] = [];
  let tooLong = false;
  const parser = createParser({
    maxBufferSize: proxyLimits.answerBytes,
    onEvent({ data, event, id }) {
      if (id !== undefined) seen?.(id);
      if (data !== '' && (event === undefined || event === 'message')) arrived.push(data);
    },
    onError({ type }) {
      if (type === 'max-buffer-size-exceeded') tooLong = true;
    },
  });
  const decoder = new TextDecoder();
  for await (const chunk of body) {
    parser.feed(decoder.decode(chunk, { stream: true }));
    if (tooLong) throw responseTooLong();
    const messages = arrived;
    arrived = [];
    yield* messages;
  }
}

export async function readBodyText(
  body: ReadableStream<Uint8Array>,
  most: number = proxyLimits.answerBytes,
): Promise<string> {
  return (await readBytesUpTo(body, most, responseTooLong)).toString('utf8');
}

function responseTooLong(): TrellisError {
  return new TrellisError(
    'LIMIT_EXCEEDED',
    `The answer of the server is longer than ${proxyLimits.answerBytes} bytes.`,
    { hint: 'Ask for less at a time.' },
  );
}
