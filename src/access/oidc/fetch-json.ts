import { accessLimits } from '../../model/limits.js';

/** Gets a JSON document: no redirect is followed, and neither size nor time is the other side's to choose. */
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
  return JSON.parse(await boundedText(response, url));
}

async function boundedText(response: Response, url: URL): Promise<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let text = '';
  let size = 0;
  // Leaving the loop early cancels the rest.
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    if (size > accessLimits.fileBytes)
      throw new Error(`${url.href} answered with more than ${accessLimits.fileBytes} bytes`);
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}
