import { z } from 'zod';
import { apiUrl } from './api-url.js';
import type { LanguageModel, ModelPrompt } from './language-model.js';
import { type ModelServer, postJson } from './post-json.js';

const answer = z.object({ message: z.object({ content: z.string() }) });

const chat = { provider: 'ollama', path: 'chat' } as const;

export class OllamaModel implements LanguageModel {
  readonly id: string;
  readonly #server: ModelServer;

  constructor(server: ModelServer) {
    this.id = `ollama ${server.model}`;
    this.#server = server;
  }

  async write({ system, user }: ModelPrompt, signal: AbortSignal): Promise<string> {
    const { url, model, apiKey } = this.#server;
    const body = {
      model,
      messages: [
        { role: 'system', content: system },
        { role: 'user', content: user },
      ],
      stream: false,
      options: { temperature: 0, num_predict: 256 },
    };
    const parsed = answer.safeParse(await postJson({ url: apiUrl(url, chat), apiKey }, body, signal));
    if (!parsed.success) throw new Error('its response has no message');
    return parsed.data.message.content;
  }
}
