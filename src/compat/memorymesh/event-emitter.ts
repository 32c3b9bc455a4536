import { reasonOf } from '../../model/error.js';
import { warnOnStderr } from '../../store/store-options.js';

export type Listener = (data?: unknown) => unknown;

export class EventEmitter {
  readonly #listeners = new Map<string, { readonly listener: Listener; readonly once: boolean }[]>();

  /** Returns a function that removes the listener. */
  on(event: string, listener: Listener): () => void {
    return this.#add(event, listener, false);
  }

  once(event: string, listener: Listener): () => void {
    return this.#add(event, listener, true);
  }

  off(event: string, listener: Listener): void {
    this.#keep(event, (entry) => entry.listener !== listener);
  }

  /**
   * Calls every listener, even after one has thrown, and then throws the first error. Returns whether there were any.
   * Promises that listeners return are not awaited; if one fails, that is reported.
   */
  emit(event: string, data: unknown = {}): boolean {
    const { results, thrown } = this.#call(event, data);
    for (const result of results) {
      Promise.resolve(result).catch((error: unknown) => warnOfListener(event, error));
    }
    if (thrown.length > 0) throw thrown[0];
    return results.length + thrown.length > 0;
  }

  /** Like `emit`, but awaits the promises too. */
  async emitAndWait(event: string, data: unknown = {}): Promise<boolean> {
    const { results, thrown } = this.#call(event, data);
    const failed = (await Promise.allSettled(results)).flatMap((outcome) =>
      outcome.status === 'rejected' ? [outcome.reason] : [],
    );
    const errors: unknown[] = [...thrown, ...failed];
    if (errors.length > 0) throw errors[0];
    return results.length + thrown.length > 0;
  }

  #call(event: string, data: unknown): { readonly results: unknown[]; readonly thrown: unknown[] } {
    const entries = this.#listeners.get(event) ?? [];
    this.#keep(event, ({ once }) => !once);
    const results: unknown[] = [];
    const thrown: unknown[] = [];
    for (const { listener } of entries) {
      try {
        results.push(listener(data));
      } catch (error) {
        thrown.push(error);
      }
    }
    return { results, thrown };
  }

  removeAllListeners(event?: string): void {
    if (event === undefined) this.#listeners.clear();
    else this.#listeners.delete(event);
  }

  #add(event: string, listener: Listener, once: boolean): () => void {
    const entry = { listener, once };
    this.#listeners.set(event, [...(this.#listeners.get(event) ?? []), entry]);
    return () => this.#keep(event, (candidate) => candidate !== entry);
  }

  /** Replaces the list instead of changing it: a listener may add and remove others while they are called. */
  #keep(event: string, isKept: (entry: { listener: Listener; once: boolean }) => boolean): void {
    const kept = (this.#listeners.get(event) ?? []).filter(isKept);
    if (kept.length === 0) this.#listeners.delete(event);
    else this.#listeners.set(event, kept);
  }
}

export function warnOfListener(event: string, error: unknown): void {
  warnOnStderr(`a listener of ${event} failed: ${reasonOf(error)}`);
}
