/** Opened when first needed, and again after a failure or a release. */
export class LazyResource<T> {
  readonly #open: () => Promise<T>;
  #opened: Promise<T> | undefined;

  constructor(open: () => Promise<T>) {
    this.#open = open;
  }

  get(): Promise<T> {
    this.#opened ??= this.#open().catch((error: unknown) => {
      this.#opened = undefined;
      throw error;
    });
    return this.#opened;
  }

  /** Returns what was open, for the caller to close. */
  async release(): Promise<T | undefined> {
    const opened = this.#opened;
    this.#opened = undefined;
    return opened;
  }
}
