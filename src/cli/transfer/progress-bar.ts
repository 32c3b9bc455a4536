/** Silent unless a person watches. */
export class ProgressBar {
  readonly #what: string;
  readonly #total: number;
  readonly #stream: NodeJS.WriteStream;
  #done = 0;
  #shown = 0;

  constructor(what: string, total: number, stream: NodeJS.WriteStream = process.stderr) {
    this.#what = what;
    this.#total = total;
    this.#stream = stream;
  }

  add(count: number): void {
    this.#done += count;
    const now = Date.now();
    if (!this.#stream.isTTY || now - this.#shown < 100) return;
    this.#shown = now;
    const percent = this.#total === 0 ? 100 : Math.min(100, Math.floor((100 * this.#done) / this.#total));
    this.#stream.write(`\r${this.#what} ${percent}%\u001b[K`);
  }

  end(): void {
    if (this.#stream.isTTY && this.#shown > 0) this.#stream.write('\r\u001b[K');
  }
}
