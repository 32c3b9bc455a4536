import { z } from 'zod';
import { apiUrl } from './api-url.js';
import type { LanguageModel, ModelPrompt } from './language-model.js';
import { type ModelServer, postJson } from './post-json.js';

const answer = z.object({
  choices: z.array(z.object({ message: z.object({ content: z.string().nullable() }) })).min(1),
});

const chat = { provider: 'openai', path: 'chat/completions' } as const;

/** Any server with OpenAI's chat API. */
export class OpenAiModel implements LanguageModel {
  readonly id: string;
  readonly #server: ModelServer;

  constructor(server: ModelServer) {
    this.id = `openai ${server.model}`;
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
      temperature: 0,
      max_tokens: 256,
    };
    const parsed = answer.safeParse(await postJson({ url: apiUrl(url, chat), apiKey }, body, signal));
    if (!parsed.success) throw new Error('its response has no message');
    return parsed.data.choices[0]?.message.content ?? '';
  }
}
