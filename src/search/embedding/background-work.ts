/**
 * Work that is done some time after it was asked for, one run at a time, until it is closed. Asking again never puts off
 * what is about to run, so that whoever writes without a pause is served all the same.
 */
export class BackgroundWork {
  readonly #run: () => Promise<number | null>;
  #timer: { readonly due: number; readonly handle: NodeJS.Timeout } | undefined;
  #running: Promise<void> | undefined;
  #closed = false;

  /** @param run Never fails; answers after how many milliseconds there is more to do, null if there is nothing. */
  constructor(run: () => Promise<number | null>) {
    this.#run = run;
  }

  get closed(): boolean {
    return this.#closed;
  }

  /** The run that is going on. */
  get running(): Promise<void> | undefined {
    return this.#running;
  }

  /** Runs after so many milliseconds at the latest, or when what is running says. */
  scheduleWithin(ms: number): void {
    if (this.#closed || this.#running !== undefined) return;
    const due = performance.now() + ms;
    if (this.#timer !== undefined && this.#timer.due <= due) return;
    this.#stopTimer();
    this.#timer = { due, handle: setTimeout(() => this.runNow(), ms).unref() };
  }

  /** Runs at once, unless it is running. */
  runNow(): void {
    if (this.#closed || this.#running !== undefined) return;
    this.#stopTimer();
    this.#running = this.#run().then((ms) => {
      this.#running = undefined;
      if (ms !== null) this.scheduleWithin(ms);
    });
  }

  /** Resolves when nothing is running, nor about to. */
  async idle(): Promise<void> {
    while (this.#timer !== undefined || this.#running !== undefined) {
      await (this.#running ?? new Promise((resolve) => setTimeout(resolve, 5)));
    }
  }

  /** Starts nothing more, and waits for what is running. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#stopTimer();
    await this.#running;
  }

  #stopTimer(): void {
    clearTimeout(this.#timer?.handle);
    this.#timer = undefined;
  }
}
