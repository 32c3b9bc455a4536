import { TrellisError } from '../model/error.js';
import { ChatModel } from './chat-model.js';
import type { LanguageModel } from './language-model.js';

export const llmProviders = ['none', 'ollama', 'openai'] as const;

export interface LlmSettings {
  /** Default: none. */
  readonly provider?: (typeof llmProviders)[number] | undefined;
  readonly model?: string | undefined;
  readonly url?: string | undefined;
  /** The environment variable that holds the key. */
  readonly api_key_env?: string | undefined;
  readonly concurrency?: number | undefined;
}

const defaultUrls = { ollama: 'http://127.0.0.1:11434', openai: 'https://api.openai.com/v1' };

export function languageModel(
  settings: LlmSettings | undefined,
  env: Readonly<Record<string, string | undefined>> = process.env,
): LanguageModel | null {
  const provider = settings?.provider ?? 'none';
  if (settings === undefined || provider === 'none') return null;
  const { model, url = defaultUrls[provider], api_key_env } = settings;
  if (model === undefined) {
    throw new TrellisError('USAGE', `llm.model is missing: ${provider} needs to know which model to use.`, {
      hint: 'Add model to the block llm of the configuration, or set provider to none.',
    });
  }
  const apiKey = api_key_env === undefined ? undefined : env[api_key_env];
  if (api_key_env !== undefined && (apiKey === undefined || apiKey === '')) {
    throw new TrellisError('USAGE', `llm.api_key_env names ${api_key_env}, which is not set.`, {
      hint: 'Set that environment variable, or leave api_key_env out.',
    });
  }
  return new ChatModel(provider, { model, url, apiKey });
}
