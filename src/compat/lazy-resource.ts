/** Something that is opened when it is first needed, and again after a failure or after it was let go. */
export class LazyResource<T> {
  readonly #open: () => Promise<T>;
  #opened: Promise<T> | undefined;

  constructor(open: () => Promise<T>) {
    this.#open = open;
  }

  get(): Promise<T> {
    this.#opened ??= this.#open().catch((error: unknown) => {
      // What stood in the way may be gone by the next call.
      this.#opened = undefined;
      throw error;
    });
    return this.#opened;
  }

  /** Lets go of it; answers what was open, to be closed. */
  async release(): Promise<T | undefined> {
    const opened = this.#opened;
    this.#opened = undefined;
    return opened;
  }
}
