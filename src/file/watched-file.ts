import { stat } from 'node:fs/promises';
import { asTrellisError } from '../model/error.js';
import { readTextFile } from './read-text-file.js';

export interface WatchedFileOptions {
  /** Called with the reason when a changed file cannot be used. */
  readonly warn: (message: string) => void;
  /** Default: 1,000. */
  readonly everyMs?: number;
  readonly now?: () => number;
}

interface ReplacedOption<T> {
  readonly replaced?: (old: T) => void;
}

/**
 * The parsed content of a file, read again when the file has changed. If the new content is unreadable or invalid, the
 * last good value stays in force, with one warning.
 */
export class WatchedFile<T> {
  readonly path: string;
  readonly #parse: (text: string, path: string) => T | Promise<T>;
  readonly #warn: (message: string) => void;
  readonly #everyMs: number;
  readonly #now: () => number;
  readonly #replaced: ((old: T) => void) | undefined;
  #value: T;
  #seen: string;
  #lookedAt: number;
  #looking: Promise<void> | undefined;

  private constructor(
    path: string,
    parse: (text: string, path: string) => T | Promise<T>,
    {
      warn,
      everyMs = 1_000,
      now = () => performance.now(),
      replaced,
    }: WatchedFileOptions & ReplacedOption<T>,
    first: { readonly value: T; readonly seen: string },
  ) {
    this.path = path;
    this.#parse = parse;
    this.#warn = warn;
    this.#everyMs = everyMs;
    this.#now = now;
    this.#replaced = replaced;
    this.#value = first.value;
    this.#seen = first.seen;
    this.#lookedAt = now();
  }

  /** Throws if the file is unreadable or invalid. */
  static async open<T>(
    path: string,
    parse: (text: string, path: string) => T | Promise<T>,
    options: WatchedFileOptions & ReplacedOption<T>,
  ): Promise<WatchedFile<T>> {
    const seen = await fingerprint(path);
    return new WatchedFile(path, parse, options, {
      value: await parse(await readTextFile(path), path),
      seen,
    });
  }

  /** The last good value, without checking the file. */
  get value(): T {
    return this.#value;
  }

  /** The current value; checks the file first. */
  async current(): Promise<T> {
    if (this.#now() - this.#lookedAt >= this.#everyMs) {
      this.#looking ??= this.#look().finally(() => {
        this.#looking = undefined;
      });
      await this.#looking;
    }
    return this.#value;
  }

  async #look(): Promise<void> {
    // Before reading, so that a later change is noticed the next time.
    const seen = await fingerprint(this.path);
    this.#lookedAt = this.#now();
    if (seen === this.#seen) return;
    this.#seen = seen;
    try {
      const old = this.#value;
      this.#value = await this.#parse(await readTextFile(this.path), this.path);
      this.#replaced?.(old);
    } catch (error) {
      this.#warn(
        `${this.path} changed but cannot be used; the previous version stays in force. ${asTrellisError(error).message}`,
      );
    }
  }
}

async function fingerprint(path: string): Promise<string> {
  try {
    const { dev, ino, size, mtimeNs, ctimeNs } = await stat(path, { bigint: true });
    return [dev, ino, size, mtimeNs, ctimeNs].join(' ');
  } catch {
    return 'unreadable';
  }
}
