import { TrellisError } from '../model/error.js';
import {
  type EmbedderName,
  type EmbedderSettings,
  embedderNames,
} from '../search/embedders/open-embedder.js';
import { type Environment, variable } from './paths.js';

/** Which embedder the environment names; without a word about it, the local one. */
export function embeddingSettings(env: Environment = process.env): EmbedderSettings {
  const provider = variable(env, 'TRELLIS_EMBEDDING_PROVIDER') ?? 'local';
  if (!isEmbedder(provider)) {
    throw new TrellisError(
      'USAGE',
      `TRELLIS_EMBEDDING_PROVIDER is ${JSON.stringify(provider)}, which is no embedder.`,
      { hint: `Give one of: ${embedderNames.join(', ')}.` },
    );
  }
  const keyName = variable(env, 'TRELLIS_EMBEDDING_API_KEY_ENV');
  return {
    provider,
    model: variable(env, 'TRELLIS_EMBEDDING_MODEL'),
    url: variable(env, 'TRELLIS_EMBEDDING_URL'),
    apiKey: keyName === undefined ? undefined : variable(env, keyName),
  };
}

function isEmbedder(name: string): name is EmbedderName {
  return embedderNames.some((known) => known === name);
}
