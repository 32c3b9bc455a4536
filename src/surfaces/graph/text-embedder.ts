import { TrellisError } from '../../model/error.js';
import type { BindContext } from '../../query/bind-query.js';
import { type Embedder, isModel, shortenVector } from '../../search/embedders/embedder.js';
import { type EmbedderSettings, openEmbedder } from '../../search/embedders/open-embedder.js';
import { defaultPerspectives } from '../../search/perspectives.js';

/** Opened with the first query that needs it; null without an embedder. */
export function textEmbedder(settings: EmbedderSettings = { provider: 'local' }): BindContext['embed'] {
  if (settings.provider === 'none') return null;
  let opening: Promise<Embedder | null> | undefined;
  return async (text, dimension, model) => {
    opening ??= openEmbedder(settings);
    const embedder = await opening;
    const [perspective] = defaultPerspectives;
    if (embedder === null || perspective === undefined) return [];
    if (!isModel(embedder.id, model)) {
      const message = `The vectors come from the model ${model}, but the configured embedder is ${embedder.id}, so they cannot be compared.`;
      throw new TrellisError('EMBEDDER_UNAVAILABLE', message, {
        hint: 'Configure that model, change it in the schema, or give nearest a vector.',
        publicMessage: message,
      });
    }
    const [vector] = await embedder.embed([text], 'query', perspective);
    if (vector === undefined) return [];
    return [...(embedder.canShorten ? shortenVector(vector, dimension) : vector)];
  };
}
