import { createHash } from 'node:crypto';
import type { Deadline } from '../bounds/deadline.js';
import { LruCache } from '../bounds/lru-cache.js';
import { Semaphore } from '../bounds/semaphore.js';
import type { LanguageModel, ModelPrompt } from '../llm/language-model.js';
import type { RedactableText } from '../model/error.js';

/** Texts that are asked for at a time, unless the settings say otherwise. */
const defaultConcurrency = 4;
/** How long one text may take. It may outlast the report: the next one then finds it written. */
const defaultTextMs = 120_000;
/** Texts that are kept. */
const maxCachedTexts = 5_000;
/** Characters of a text that are kept. */
const maxTextLength = 1_000;

export interface ModelWriterOptions {
  readonly concurrency?: number | undefined;
  readonly textMs?: number;
}

/** What the model wrote for each prompt: null if there is nothing, and the warnings say why. */
export interface WrittenTexts {
  readonly texts: readonly (string | null)[];
  readonly warnings: readonly string[];
  /** Why the model did not answer, if it did not. */
  readonly failure?: RedactableText | undefined;
}

/**
 * Has a language model write texts, a few at a time, and keeps them by what the model was given: a node that has not
 * changed is not asked about again, and texts that were not ready for one report are ready for a later one.
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

  /** Answers by the deadline with what is written by then. A failure ends the asking and is reported; nothing throws. */
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

  /** Whether the last answer came; true before the first. */
  get isUp(): boolean {
    return this.#isUp;
  }

  /** Ends what is still being written. */
  close(): void {
    this.#closed.abort();
  }

  /** One request for one prompt, however many reports wait for it; null if the model answers with nothing. */
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
    // Whoever waits hears of a failure; a report that has ended does not.
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
      warnings.push(`The language model ${id} answered nothing for ${empty} of ${all} texts. They are null.`);
    if (unwritten > 0)
      warnings.push(
        `The language model ${id} has written ${all - unwritten} of ${all} texts so far; the others are null. ` +
          'Ask for the report again: it goes on from there.',
      );
    return warnings;
  }
}

function keyOf({ system, user }: ModelPrompt): string {
  return createHash('sha256')
    .update(JSON.stringify([system, user]))
    .digest('base64');
}

/** What was written without control characters, and not too long; null if nothing is left. */
function sanitizeText(text: string): string | null {
  const plain = text
    .toWellFormed()
    // Control characters would reach the terminals and files of whoever reads the report.
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
