import { TrellisError } from '../model/error.js';
import { openReranker } from '../search/rerank/open-reranker.js';
import {
  type RerankProvider,
  type RerankSettings,
  rerankProviders,
} from '../search/rerank/rerank-settings.js';
import { keyIn, refuseRemoteModel } from './embedding-settings.js';
import type { ConfigFile } from './file/read-config.js';
import { type Environment, environmentVariable } from './paths.js';
import { defaultSetting, type Setting } from './setting-layers.js';

/** The environment wins over the file; by default nothing is reranked. */
export function resolveRerank(
  file: ConfigFile | undefined,
  isExplicit: boolean,
  env: Environment,
): Setting<RerankSettings> {
  const found = fromEnvironment(env) ?? fromFile(file, isExplicit, env);
  // Found out now, not by the first search.
  openReranker(found.value);
  return found;
}

function fromEnvironment(env: Environment): Setting<RerankSettings> | undefined {
  const provider = environmentVariable(env, 'TRELLIS_RERANK_PROVIDER');
  if (provider === undefined) return undefined;
  if (!isProvider(provider))
    throw new TrellisError(
      'USAGE',
      `TRELLIS_RERANK_PROVIDER is ${JSON.stringify(provider)}, which is not a known reranker.`,
      { hint: `Give one of: ${rerankProviders.join(', ')}.` },
    );
  return {
    value: {
      provider,
      model: environmentVariable(env, 'TRELLIS_RERANK_MODEL'),
      url: environmentVariable(env, 'TRELLIS_RERANK_URL'),
      apiKey: keyIn(env, environmentVariable(env, 'TRELLIS_RERANK_API_KEY_ENV')),
    },
    source: 'TRELLIS_RERANK_PROVIDER',
  };
}

function fromFile(
  file: ConfigFile | undefined,
  isExplicit: boolean,
  env: Environment,
): Setting<RerankSettings> {
  const block = file?.content.rerank;
  if (file === undefined || block?.provider === undefined) return defaultSetting({ provider: 'none' });
  if (!isExplicit) refuseRemoteModel(file, 'rerank');
  const { provider, model, url, api_key_env, timeout_ms: timeoutMs, candidates } = block;
  return {
    value: { provider, model, url, apiKey: keyIn(env, api_key_env), timeoutMs, candidates },
    source: file.sourceOf(['rerank', 'provider']),
  };
}

function isProvider(name: string): name is RerankProvider {
  return rerankProviders.some((known) => known === name);
}
