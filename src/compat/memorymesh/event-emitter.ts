import { reasonOf } from '../../model/error.js';
import { warnOnStderr } from '../../store/store-options.js';

/** What is called when an event is emitted; it may answer a promise. */
export type Listener = (data?: unknown) => unknown;

/** Publish and subscribe (seed 8.1). */
export class EventEmitter {
  readonly #listeners = new Map<string, { readonly listener: Listener; readonly once: boolean }[]>();

  /** Calls the listener whenever the event is emitted; answers how to stop that. */
  on(event: string, listener: Listener): () => void {
    return this.#add(event, listener, false);
  }

  /** Calls the listener the next time only. */
  once(event: string, listener: Listener): () => void {
    return this.#add(event, listener, true);
  }

  off(event: string, listener: Listener): void {
    this.#keep(event, (entry) => entry.listener !== listener);
  }

  /**
   * Calls every listener of the event, and answers whether there were any. One that throws does not keep the others
   * from being called; the first thing thrown is thrown when all have been. What a listener answers is not waited for;
   * if that is a promise that fails, it is reported.
   */
  emit(event: string, data: unknown = {}): boolean {
    const { answers, thrown } = this.#call(event, data);
    for (const answer of answers) {
      Promise.resolve(answer).catch((error: unknown) => warnOfListener(event, error));
    }
    if (thrown.length > 0) throw thrown[0];
    return answers.length + thrown.length > 0;
  }

  /** The same, but waits for what the listeners answer: the first that throws or fails is thrown when all are done. */
  async emitAndWait(event: string, data: unknown = {}): Promise<boolean> {
    const { answers, thrown } = this.#call(event, data);
    const failed = (await Promise.allSettled(answers)).flatMap((outcome) =>
      outcome.status === 'rejected' ? [outcome.reason] : [],
    );
    const errors: unknown[] = [...thrown, ...failed];
    if (errors.length > 0) throw errors[0];
    return answers.length + thrown.length > 0;
  }

  #call(event: string, data: unknown): { readonly answers: unknown[]; readonly thrown: unknown[] } {
    const entries = this.#listeners.get(event) ?? [];
    this.#keep(event, ({ once }) => !once);
    const answers: unknown[] = [];
    const thrown: unknown[] = [];
    for (const { listener } of entries) {
      try {
        answers.push(listener(data));
      } catch (error) {
        thrown.push(error);
      }
    }
    return { answers, thrown };
  }

  /** Forgets the listeners of one event, or of all. */
  removeAllListeners(event?: string): void {
    if (event === undefined) this.#listeners.clear();
    else this.#listeners.delete(event);
  }

  #add(event: string, listener: Listener, once: boolean): () => void {
    const entry = { listener, once };
    this.#listeners.set(event, [...(this.#listeners.get(event) ?? []), entry]);
    return () => this.#keep(event, (candidate) => candidate !== entry);
  }

  /** Lists are replaced, never changed, so that a listener may add and remove others while they are called. */
  #keep(event: string, isKept: (entry: { listener: Listener; once: boolean }) => boolean): void {
    const kept = (this.#listeners.get(event) ?? []).filter(isKept);
    if (kept.length === 0) this.#listeners.delete(event);
    else this.#listeners.set(event, kept);
  }
}

/** Says that a listener failed where nothing can be stopped any more. */
export function warnOfListener(event: string, error: unknown): void {
  warnOnStderr(`a listener of ${event} failed: ${reasonOf(error)}`);
}
