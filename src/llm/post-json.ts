import { readBytesUpTo } from '../bounds/read-bytes-up-to.js';

const maxBytes = 1_048_576;

export interface ModelServer {
  readonly url: string;
  readonly model: string;
  readonly apiKey?: string | undefined;
}

/** Every failure is an error whose message can be shown. */
export async function postJson(
  { url, apiKey }: Pick<ModelServer, 'url' | 'apiKey'>,
  body: object,
  signal: AbortSignal,
): Promise<unknown> {
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      ...(apiKey === undefined ? {} : { Authorization: `Bearer ${apiKey}` }),
    },
    body: JSON.stringify(body),
    redirect: 'error',
    signal,
  });
  const tooLong = () => new Error(`its response has more than ${maxBytes} bytes`);
  const text = (await readBytesUpTo(response.body, maxBytes, tooLong)).toString('utf8');
  if (!response.ok) throw new Error(`it returned status ${response.status}`);
  try {
    return JSON.parse(text);
  } catch {
    throw new Error('its response is not JSON');
  }
}
