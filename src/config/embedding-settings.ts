import { TrellisError } from '../model/error.js';
import {
  type EmbedderName,
  type EmbedderSettings,
  embedderNames,
} from '../search/embedders/open-embedder.js';
import { meaningWeightShape } from './file/config-shape.js';
import type { ConfigFile } from './file/read-config.js';
import { type Environment, environmentVariable } from './paths.js';
import { defaultSetting, type Setting } from './setting-layers.js';

/** The environment wins over the file; the default is the local embedder. */
export function resolveEmbedding(
  file: ConfigFile | undefined,
  isExplicit: boolean,
  env: Environment,
): Setting<EmbedderSettings> {
  const { value, source } = resolveEmbedder(file, isExplicit, env);
  const meaningWeight = weightIn(env) ?? value.meaningWeight;
  return { value: meaningWeight === undefined ? value : { ...value, meaningWeight }, source };
}

function resolveEmbedder(
  file: ConfigFile | undefined,
  isExplicit: boolean,
  env: Environment,
): Setting<EmbedderSettings> {
  const provider = environmentVariable(env, 'TRELLIS_EMBEDDING_PROVIDER');
  if (provider === undefined) return fromFile(file, isExplicit, env);
  if (!isEmbedder(provider))
    throw new TrellisError(
      'USAGE',
      `TRELLIS_EMBEDDING_PROVIDER is ${JSON.stringify(provider)}, which is not a known embedder.`,
      { hint: `Give one of: ${embedderNames.join(', ')}.` },
    );
  return {
    value: {
      provider,
      model: environmentVariable(env, 'TRELLIS_EMBEDDING_MODEL'),
      url: environmentVariable(env, 'TRELLIS_EMBEDDING_URL'),
      apiKey: keyIn(env, environmentVariable(env, 'TRELLIS_EMBEDDING_API_KEY_ENV')),
    },
    source: 'TRELLIS_EMBEDDING_PROVIDER',
  };
}

function fromFile(
  file: ConfigFile | undefined,
  isExplicit: boolean,
  env: Environment,
): Setting<EmbedderSettings> {
  const block = file?.content.embedding;
  const meaningWeight = block?.meaning_weight;
  if (file === undefined || block?.provider === undefined)
    return defaultSetting({ provider: 'local', meaningWeight });
  if (!isExplicit) refuseRemoteModel(file, 'embedding');
  if (!isExplicit && block.provider === 'onnx')
    throw notExplicit(`${file.sourceOf(['embedding', 'provider'])} loads a model into this machine.`);
  const { provider, model, url, api_key_env } = block;
  return {
    value: { provider, model, url, apiKey: keyIn(env, api_key_env), meaningWeight },
    source: file.sourceOf(['embedding', 'provider']),
  };
}

function weightIn(env: Environment): number | undefined {
  const name = 'TRELLIS_EMBEDDING_MEANING_WEIGHT';
  const given = environmentVariable(env, name);
  if (given === undefined) return undefined;
  const weight = meaningWeightShape.safeParse(Number(given));
  if (!weight.success)
    throw new TrellisError('USAGE', `${name} is ${JSON.stringify(given)}, which is not a weight.`, {
      hint: 'Give a number from 0 (words only) to 10.',
    });
  return weight.data;
}

/** The key in the environment variable of this name. */
export function keyIn(env: Environment, name: string | undefined): string | undefined {
  return name === undefined ? undefined : environmentVariable(env, name);
}

function isEmbedder(name: string): name is EmbedderName {
  return embedderNames.some((known) => known === name);
}

/** Observations leave the store, so only a file that the user named may say where they go. */
export function refuseRemoteModel(file: ConfigFile, block: 'embedding' | 'llm' | 'rerank'): void {
  for (const key of ['url', 'api_key_env'] as const) {
    if (file.content[block]?.[key] !== undefined)
      throw notExplicit(`${file.sourceOf([block, key])} sends observations to a server.`);
  }
}

export function notExplicit(message: string): TrellisError {
  return new TrellisError('CONFIG_INVALID', message, {
    hint: 'Name the configuration file yourself, with --config or TRELLIS_CONFIG, if you trust it.',
  });
}
