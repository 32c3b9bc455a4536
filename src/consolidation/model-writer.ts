import { createHash } from 'node:crypto';
import type { Deadline } from '../bounds/deadline.js';
import { LruCache } from '../bounds/lru-cache.js';
import { Semaphore } from '../bounds/semaphore.js';
import type { LanguageModel, ModelPrompt } from '../llm/language-model.js';
import { type LlmSettings, languageModel } from '../llm/llm-settings.js';
import type { RedactableText } from '../model/error.js';
import { type ResourceLease, SharedResource } from '../search/embedding/shared-resource.js';
import type { Store } from '../store/store-contract.js';

const defaultConcurrency = 4;
/** A text may take longer than the report that requested it: the next report finds it in the cache. */
const defaultTextMs = 120_000;
const maxCachedTexts = 5_000;
const maxTextLength = 1_000;

interface ModelWriterOptions {
  readonly concurrency?: number | undefined;
  readonly textMs?: number;
}

/** Null for texts that are missing; the warnings say why. */
interface WrittenTexts {
  readonly texts: readonly (string | null)[];
  readonly warnings: readonly string[];
  /** Why the model did not answer, if it did not. */
  readonly failure?: RedactableText | undefined;
}

/**
 * Has a language model write texts, a few at a time, and caches them by prompt: unchanged nodes are not sent again, and
 * texts that were late for one report are ready for the next.
 */
export class ModelWriter {
  readonly #model: LanguageModel;
  readonly #textMs: number;
  readonly #concurrency: number;
  readonly #slots: Semaphore;
  readonly #kept = new LruCache<string>(maxCachedTexts);
  readonly #running = new Map<string, Promise<string | null>>();
  readonly #closed = new AbortController();
  #isUp = true;

  constructor(
    model: LanguageModel,
    { concurrency = defaultConcurrency, textMs = defaultTextMs }: ModelWriterOptions = {},
  ) {
    this.#model = model;
    this.#textMs = textMs;
    this.#concurrency = concurrency;
    this.#slots = new Semaphore(concurrency);
  }

  /** Returns what is written by the deadline. A failure becomes a warning; nothing throws. */
  async write(prompts: readonly ModelPrompt[], deadline: Deadline): Promise<WrittenTexts> {
    const texts = prompts.map(({ system, user }) => this.#kept.get(keyOf({ system, user })) ?? null);
    const missing = [...texts.keys()].filter((index) => texts[index] === null);
    let [empty, failure]: [number, string | undefined] = [0, undefined];
    const next = missing.values();
    const askInTurn = async (): Promise<void> => {
      for (const index of next) {
        const prompt = prompts[index];
        if (prompt === undefined || failure !== undefined || deadline.passed) return;
        try {
          const text = await deadline.wait(this.#ask(prompt));
          if (text === undefined) return;
          if (text === null) empty += 1;
          texts[index] = text;
        } catch (error) {
          failure ??= failureReason(error);
        }
      }
    };
    await Promise.all(Array.from({ length: this.#concurrency }, askInTurn));
    const unwritten = texts.filter((text) => text === null).length - empty;
    const all = prompts.length;
    if (failure === undefined) return { texts, warnings: this.#warnings(empty, unwritten, all) };
    return { texts, warnings: this.#warnings(empty, 0, all), failure: this.#failureText(failure) };
  }

  get modelId(): string {
    return this.#model.id;
  }

  /** Whether the last request succeeded; true before the first. */
  get isUp(): boolean {
    return this.#isUp;
  }

  close(): void {
    this.#closed.abort();
  }

  /** Sends each prompt once, however many reports wait for it; null if the model returns nothing. */
  #ask(prompt: ModelPrompt): Promise<string | null> {
    const key = keyOf(prompt);
    const running = this.#running.get(key);
    if (running !== undefined) return running;
    const asking = this.#slots.run(async () => {
      const signal = AbortSignal.any([this.#closed.signal, AbortSignal.timeout(this.#textMs)]);
      signal.throwIfAborted();
      const text = sanitizeText(await this.#model.write(prompt, signal));
      if (text !== null) this.#kept.set(key, text);
      return text;
    });
    this.#running.set(key, asking);
    // Callers that still wait get the failure from `asking` itself.
    asking
      .then(
        () => {
          this.#isUp = true;
        },
        () => {
          this.#isUp = this.#closed.signal.aborted;
        },
      )
      .finally(() => this.#running.delete(key));
    return asking;
  }

  #failureText(reason: string): RedactableText {
    const said = `The language model ${this.#model.id} did not answer`;
    return {
      message: `${said}: ${reason}. Its texts are null.`,
      publicMessage: `${said}. Its texts are null.`,
    };
  }

  #warnings(empty: number, unwritten: number, all: number): string[] {
    const { id } = this.#model;
    const warnings: string[] = [];
    if (empty > 0)
      warnings.push(`The language model ${id} returned nothing for ${empty} of ${all} texts; they are null.`);
    if (unwritten > 0)
      warnings.push(
        `The language model ${id} has written ${all - unwritten} of ${all} texts so far; the others are null. ` +
          'Request the report again to continue.',
      );
    return warnings;
  }
}

function keyOf({ system, user }: ModelPrompt): string {
  return createHash('sha256')
    .update(JSON.stringify([system, user]))
    .digest('base64');
}

function sanitizeText(text: string): string | null {
  const plain = text
    .toWellFormed()
    // They would reach the terminals and files of readers.
    .replace(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, maxTextLength)
    .toWellFormed();
  return plain === '' ? null : plain;
}

function failureReason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === 'TimeoutError' || error.name === 'AbortError') return 'it took too long';
  const { cause } = error;
  return cause instanceof Error && cause.message !== '' ? cause.message : error.message;
}

const shared = new SharedResource<ModelWriter>(async (writer) => writer.close());

export function activeModelWriters(store: Store): readonly ModelWriter[] {
  return shared.active(store);
}

/**
 * One writer per store and settings, so that all surfaces of a process share its limits and cache; null without a
 * model.
 */
export function shareModelWriter(
  store: Store,
  settings: LlmSettings | undefined,
): ResourceLease<ModelWriter> | null {
  const model = languageModel(settings);
  if (settings === undefined || model === null) return null;
  return shared.acquire(store, settings, () => new ModelWriter(model, settings));
}
