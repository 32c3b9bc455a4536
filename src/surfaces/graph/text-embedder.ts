import type { BindContext } from '../../query/bind-query.js';
import { type Embedder, shortenVector } from '../../search/embedders/embedder.js';
import { type EmbedderSettings, openEmbedder } from '../../search/embedders/open-embedder.js';
import { defaultPerspectives } from '../../search/perspectives.js';

/** Opened with the first query that needs it; null without an embedder. */
export function textEmbedder(settings: EmbedderSettings = { provider: 'local' }): BindContext['embed'] {
  if (settings.provider === 'none') return null;
  let opening: Promise<Embedder | null> | undefined;
  return async (text, dimension) => {
    opening ??= openEmbedder(settings);
    const embedder = await opening;
    const [perspective] = defaultPerspectives;
    if (embedder === null || perspective === undefined) return [];
    const [vector] = await embedder.embed([text], 'query', perspective);
    if (vector === undefined) return [];
    return [...(embedder.canShorten ? shortenVector(vector, dimension) : vector)];
  };
}
