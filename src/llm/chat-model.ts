import { z } from 'zod';
import { apiUrl } from './api-url.js';
import type { LanguageModel, ModelPrompt } from './language-model.js';
import { type ModelServer, postJson } from './post-json.js';

interface ChatApi {
  readonly path: string;
  /** Members of a request besides the model and the messages. */
  readonly settings: object;
  textOf(response: unknown): string | undefined;
}

const ollamaResponse = z.object({ message: z.object({ content: z.string() }) });
const openaiResponse = z.object({
  choices: z.array(z.object({ message: z.object({ content: z.string().nullable() }) })).min(1),
});

const chatApis: Readonly<Record<'ollama' | 'openai', ChatApi>> = {
  ollama: {
    path: 'chat',
    settings: { stream: false, options: { temperature: 0, num_predict: 256 } },
    textOf: (response) => ollamaResponse.safeParse(response).data?.message.content,
  },
  // Any server with OpenAI's chat API.
  openai: {
    path: 'chat/completions',
    settings: { temperature: 0, max_tokens: 256 },
    textOf: (response) =>
      openaiResponse.safeParse(response).data?.choices.map(({ message }) => message.content ?? '')[0],
  },
};

export class ChatModel implements LanguageModel {
  readonly id: string;
  readonly #provider: keyof typeof chatApis;
  readonly #server: ModelServer;

  constructor(provider: keyof typeof chatApis, server: ModelServer) {
    this.id = `${provider} ${server.model}`;
    this.#provider = provider;
    this.#server = server;
  }

  async write({ system, user }: ModelPrompt, signal: AbortSignal): Promise<string> {
    const { path, settings, textOf } = chatApis[this.#provider];
    const { url, model, apiKey } = this.#server;
    const messages = [
      { role: 'system', content: system },
      { role: 'user', content: user },
    ];
    const target = { url: apiUrl(url, { provider: this.#provider, path }), apiKey };
    const text = textOf(await postJson(target, { model, messages, ...settings }, signal));
    if (text === undefined) throw new Error('its response has no message');
    return text;
  }
}
