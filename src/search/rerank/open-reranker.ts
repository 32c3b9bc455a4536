import { TrellisError } from '../../model/error.js';
import { HttpReranker, type Reranker } from './http-reranker.js';
import type { RerankSettings } from './rerank-settings.js';

/** Null for none. */
export function openReranker(settings: RerankSettings = { provider: 'none' }): Reranker | null {
  const { provider, url, ...options } = settings;
  if (provider === 'none') return null;
  if (url === undefined) {
    throw new TrellisError('USAGE', 'The reranker needs a url.', {
      hint: 'Set rerank.url or TRELLIS_RERANK_URL, for example http://127.0.0.1:8080.',
    });
  }
  return new HttpReranker({ url, ...options });
}
