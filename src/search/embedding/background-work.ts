/**
 * Runs delayed work, one run at a time, until it is closed. Scheduling again never postpones a scheduled run, so that
 * continuous writes cannot starve it.
 */
export class BackgroundWork {
  readonly #run: () => Promise<number | null>;
  #timer: { readonly due: number; readonly handle: NodeJS.Timeout } | undefined;
  #running: Promise<void> | undefined;
  #closed = false;

  /** @param run Never rejects; resolves to when to run again in milliseconds, null for never. */
  constructor(run: () => Promise<number | null>) {
    this.#run = run;
  }

  get closed(): boolean {
    return this.#closed;
  }

  get running(): Promise<void> | undefined {
    return this.#running;
  }

  /** Runs after `ms` at the latest; while it runs, the run itself decides. */
  scheduleWithin(ms: number): void {
    if (this.#closed || this.#running !== undefined) return;
    const due = performance.now() + ms;
    if (this.#timer !== undefined && this.#timer.due <= due) return;
    this.#stopTimer();
    this.#timer = { due, handle: setTimeout(() => this.runNow(), ms).unref() };
  }

  runNow(): void {
    if (this.#closed || this.#running !== undefined) return;
    this.#stopTimer();
    this.#running = this.#run().then((ms) => {
      this.#running = undefined;
      if (ms !== null) this.scheduleWithin(ms);
    });
  }

  /** Resolves when nothing is running or scheduled. */
  async idle(): Promise<void> {
    while (this.#timer !== undefined || this.#running !== undefined) {
      await (this.#running ?? new Promise((resolve) => setTimeout(resolve, 5)));
    }
  }

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
