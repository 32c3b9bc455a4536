import type { Settings } from '../../config/settings.js';
import { languageModel } from '../../llm/llm-settings.js';
import { asTrellisError, reasonOf } from '../../model/error.js';
import { openEmbedder } from '../../search/embedders/open-embedder.js';

/** A model server may have to load the model first. */
const patienceMs = 30_000;

export interface TriedModel {
  readonly use: 'embedding' | 'llm';
  readonly name: string;
  /** Absent if it failed. */
  readonly answer?: string;
  readonly problem?: string;
}

export async function tryModels({ defaults }: Pick<Settings, 'defaults'>): Promise<TriedModel[]> {
  const tried = [await tryEmbedder(defaults), await tryLanguageModel(defaults)];
  return tried.filter((model) => model !== undefined);
}

async function tryEmbedder({ embedding }: Settings['defaults']): Promise<TriedModel | undefined> {
  const { provider, model } = embedding.value;
  if (provider === 'none') return undefined;
  const named = { use: 'embedding', name: [provider, model].filter(Boolean).join(' ') } as const;
  try {
    const embedder = await openEmbedder(embedding.value, { timeoutMs: patienceMs, retries: 0 });
    const [vector] = (await embedder?.embed(['hello'], 'query', { name: 'general', instruction: '' })) ?? [];
    return { ...named, answer: `a vector of ${vector?.length ?? 0} numbers` };
  } catch (thrown) {
    const { message, hint } = asTrellisError(thrown);
    return { ...named, problem: [message, hint].filter(Boolean).join(' ') };
  }
}

async function tryLanguageModel({ llm }: Settings['defaults']): Promise<TriedModel | undefined> {
  const { provider = 'none', model } = llm.value ?? {};
  if (provider === 'none') return undefined;
  const named = { use: 'llm', name: [provider, model].filter(Boolean).join(' ') } as const;
  const prompt = { system: 'Answer with one word.', user: 'Say hello.' };
  try {
    const text = await languageModel(llm.value)?.write(prompt, AbortSignal.timeout(patienceMs));
    if (text?.trim() === '') return { ...named, problem: 'The language model answered nothing.' };
    return { ...named, answer: 'a text' };
  } catch (thrown) {
    return { ...named, problem: `The language model does not answer: ${causeOf(thrown)}.` };
  }
}

/** `fetch` says only that it failed; its cause says why. */
function causeOf(thrown: unknown): string {
  const cause = thrown instanceof Error ? thrown.cause : undefined;
  return cause instanceof Error && cause.message !== '' ? cause.message : reasonOf(thrown).replace(/\.$/, '');
}
