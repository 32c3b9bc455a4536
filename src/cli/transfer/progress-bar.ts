import type { ProgressListener } from '../../model/progress.js';

const width = 24;
const intervalMs = 100;

interface Output {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): void;
}

/** Silent unless a person watches. */
export class ProgressBar implements ProgressListener {
  readonly #output: Output;
  readonly #isWatched: boolean;
  #what = '';
  #total: number | undefined;
  #done = 0;
  #drawnAt = Number.NEGATIVE_INFINITY;

  constructor(output: Output) {
    this.#output = output;
    this.#isWatched = output.isTTY === true && process.env['TERM'] !== 'dumb';
  }

  begin(what: string, total?: number): void {
    this.#what = what;
    this.#total = total;
    this.#done = 0;
    this.#draw();
  }

  advance(count: number): void {
    this.#done += count;
    if (performance.now() - this.#drawnAt >= intervalMs) this.#draw();
  }

  end(): void {
    if (this.#isWatched && this.#drawnAt > 0) this.#output.write('\r\u001b[K');
  }

  #draw(): void {
    if (!this.#isWatched) return;
    this.#drawnAt = performance.now();
    // A line that wraps could not be drawn over. Some terminals say that they have no columns.
    const line = `${this.#what} ${this.#amount()}`.slice(0, (this.#output.columns || 80) - 1);
    this.#output.write(`\r${line}\u001b[K`);
  }

  #amount(): string {
    if (this.#total === undefined) return this.#done.toLocaleString('en');
    const share = this.#total === 0 ? 1 : Math.min(1, this.#done / this.#total);
    return `[${'#'.repeat(Math.floor(share * width)).padEnd(width)}] ${Math.floor(share * 100)}%`;
  }
}

/** Shows on standard error how far the work is, and removes that at its end. */
export async function withProgress<T>(
  work: (progress: ProgressListener) => Promise<T>,
  output: Output = process.stderr,
): Promise<T> {
  const bar = new ProgressBar(output);
  try {
    return await work(bar);
  } finally {
    bar.end();
  }
}
