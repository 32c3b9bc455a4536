import { readBytesUpTo } from '../../bounds/read-bytes-up-to.js';
import { accessLimits } from '../../model/limits.js';
import { decodeUtf8 } from '../../model/text.js';

/** Follows no redirects; size and time are limited. */
export async function fetchJson(url: URL, patienceMs = 5_000): Promise<unknown> {
  const response = await fetch(url, {
    headers: { accept: 'application/json' },
    redirect: 'error',
    signal: AbortSignal.timeout(patienceMs),
  });
  if (response.status !== 200) {
    await response.body?.cancel();
    throw new Error(`${url.href} answered with status ${response.status}`);
  }
  const most = accessLimits.fileBytes;
  const tooLong = () => new Error(`${url.href} answered with more than ${most} bytes`);
  const bytes = await readBytesUpTo(response.body, most, tooLong);
  const text = decodeUtf8(bytes);
  if (text === undefined) throw new Error(`${url.href} answered with what is not UTF-8 text`);
  return JSON.parse(text);
}
