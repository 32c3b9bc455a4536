import { TrellisError } from '../../model/error.js';
import type { Embedder } from './embedder.js';
import type { RemoteEmbedderOptions } from './remote-embedder.js';

export const embedderNames = ['local', 'ollama', 'openai', 'onnx', 'none'] as const;
export type EmbedderName = (typeof embedderNames)[number];

/** The block `embedding:` of the configuration. */
export interface EmbedderSettings {
  readonly provider: EmbedderName;
  readonly model?: string | undefined;
  readonly url?: string | undefined;
  readonly apiKey?: string | undefined;
  /** In place of the weight that the embedder declares. */
  readonly meaningWeight?: number | undefined;
}

/** Loads the embedder on demand; null for none. */
export async function openEmbedder(
  { provider, model, url, apiKey }: EmbedderSettings,
  patience: Pick<RemoteEmbedderOptions, 'timeoutMs' | 'retries'> = {},
): Promise<Embedder | null> {
  switch (provider) {
    case 'none':
      return null;
    case 'local':
      return (await import('./local-embedder.js')).localEmbedder;
    case 'onnx': {
      if (model === undefined) {
        throw new TrellisError('USAGE', 'The embedder onnx needs a model.', {
          hint: 'Set TRELLIS_EMBEDDING_MODEL, or embedding.model, to the folder of a sentence-transformer.',
        });
      }
      return (await import('./onnx/onnx-embedder.js')).openOnnxEmbedder(model);
    }
    case 'ollama': {
      const { RemoteEmbedder, ollamaProtocol } = await import('./remote-embedder.js');
      const options = { url: url ?? 'http://127.0.0.1:11434', model: model ?? 'nomic-embed-text', apiKey };
      return new RemoteEmbedder(ollamaProtocol, { ...options, ...patience });
    }
    case 'openai': {
      if (model === undefined || url === undefined) {
        throw new TrellisError('USAGE', 'The embedder openai needs a model and a url.', {
          hint: 'Set both in the embedding settings, for example url: http://127.0.0.1:1234/v1.',
        });
      }
      const { RemoteEmbedder, openaiProtocol } = await import('./remote-embedder.js');
      return new RemoteEmbedder(openaiProtocol, { url, model, apiKey, ...patience });
    }
  }
}
