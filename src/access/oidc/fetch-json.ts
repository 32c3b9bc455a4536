import { readBytesUpTo } from '../../bounds/read-bytes-up-to.js';
import { parseJsonOrUndefined } from '../../model/json.js';
import { accessLimits } from '../../model/limits.js';
import { decodeUtf8 } from '../../model/text.js';

interface FetchOptions {
  readonly patienceMs?: number;
  /** Sent with POST. */
  readonly form?: URLSearchParams;
  /** Those whose body is an answer. */
  readonly statuses?: readonly number[];
}

/** Follows no redirects; size and time are limited. */
export async function fetchJson(
  url: URL,
  { patienceMs = 5_000, form, statuses = [200] }: FetchOptions = {},
): Promise<unknown> {
  const response = await fetch(url, {
    headers: { accept: 'application/json' },
    redirect: 'error',
    signal: AbortSignal.timeout(patienceMs),
    ...(form === undefined ? {} : { method: 'POST', body: form }),
  });
  if (!statuses.includes(response.status)) {
    await response.body?.cancel();
    throw new Error(`${url.href} answered with status ${response.status}`);
  }
  const most = accessLimits.fileBytes;
  const tooLong = () => new Error(`${url.href} answered with more than ${most} bytes`);
  const bytes = await readBytesUpTo(response.body, most, tooLong);
  const text = decodeUtf8(bytes);
  if (text === undefined) throw new Error(`${url.href} answered with what is not UTF-8 text`);
  const answer = parseJsonOrUndefined(text);
  // Without the reason of the parser, which quotes the text: it may hold a token.
  if (answer === undefined) throw new Error(`${url.href} answered with what is not JSON`);
  return answer;
}
