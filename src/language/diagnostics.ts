import { nearest } from '../model/nearest.js';
import type { Diagnostic } from './source-problem.js';

/** Nobody reads more, and each may cost a search for the nearest name. */
const maxDiagnostics = 100;

export class Diagnostics {
  readonly #found = new Map<string, Diagnostic>();

  /** Duplicates are dropped. The suggestion is the name in `among` that is nearest to `meant`. */
  add(
    at: number,
    code: string,
    message: string,
    {
      meant,
      among,
      expected,
    }: {
      readonly meant?: string;
      readonly among?: Iterable<string>;
      readonly expected?: readonly string[];
    } = {},
  ): void {
    if (this.#found.size >= maxDiagnostics) return;
    const suggestion = meant === undefined || among === undefined ? undefined : nearest(meant, among);
    this.#found.set(`${at} ${message}`, { code, at, message, expected, suggestion });
  }

  get all(): readonly Diagnostic[] {
    return [...this.#found.values()];
  }
}
