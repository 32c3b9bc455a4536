import { nearest } from '../model/nearest.js';
import type { Diagnostic } from './source-problem.js';

/** Nobody reads more, and each may cost a search for the name that was meant. */
const maxDiagnostics = 100;

/** Collects what a checker finds wrong with a source. */
export class Diagnostics {
  readonly #found = new Map<string, Diagnostic>();

  /** Notes a diagnostic, once; `among` are the names of which one was probably meant. */
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
