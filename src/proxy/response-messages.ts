import { createParser } from 'eventsource-parser';
import { readBytesUpTo } from '../bounds/read-bytes-up-to.js';
import { TrellisError } from '../model/error.js';
import { proxyLimits } from '../model/limits.js';

/** What a stream tells beside its messages. */
export interface EventStreamOptions {
  /** The id of an event, from which a broken stream can be taken up again. */
  readonly seen?: (id: string) => void;
}

/** The texts of the messages in an answer, as they come: one in plain JSON, any number in a stream of events. */
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

/** The whole text of a body, within bounds. */
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
