/** What is called when an event is emitted. */
export type Listener = (data?: unknown) => void;

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
   * from being called; the first thing thrown is thrown when all have been.
   */
  emit(event: string, data: unknown = {}): boolean {
    const entries = this.#listeners.get(event) ?? [];
    this.#keep(event, ({ once }) => !once);
    const thrown: unknown[] = [];
    for (const { listener } of entries) {
      try {
        listener(data);
      } catch (error) {
        thrown.push(error);
      }
    }
    if (thrown.length > 0) throw thrown[0];
    return entries.length > 0;
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
