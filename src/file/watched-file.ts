import { stat } from 'node:fs/promises';
import { asTrellisError } from '../model/error.js';
import { readTextFile } from './read-text-file.js';

export interface WatchedFileOptions {
  /** Told why a changed file was not taken. */
  readonly warn: (message: string) => void;
  /** How long a look at the file stays good. Default: a second. */
  readonly everyMs?: number;
  /** Milliseconds that only go forward. */
  readonly now?: () => number;
}

interface ReplacedOption<T> {
  /** Told what is no longer in force. */
  readonly replaced?: (old: T) => void;
}

/**
 * What a file says, read again when it has changed. A file that cannot be read, or says something wrong, leaves what was
 * last good in force, and that is warned of once.
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

  /** Reads the file for the first time, when everything wrong with it is an error. */
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

  /** What was last good, without looking at the file. */
  get value(): T {
    return this.#value;
  }

  /** What the file says now, or what was last good. */
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
    // Taken before reading, so that a change in between is seen next time.
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
        `${this.path} has changed and cannot be used, so what it said before stays in force. ${asTrellisError(error).message}`,
      );
    }
  }
}

/** What tells one state of a file from another without reading it. */
async function fingerprint(path: string): Promise<string> {
  try {
    const { dev, ino, size, mtimeNs, ctimeNs } = await stat(path, { bigint: true });
    return [dev, ino, size, mtimeNs, ctimeNs].join(' ');
  } catch {
    return 'unreadable';
  }
}
