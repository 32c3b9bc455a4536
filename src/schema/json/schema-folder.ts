import { setTimeout as delay } from 'node:timers/promises';
import { asTrellisError } from '../../model/error.js';
import { type Catalog, type Settlement, settle, type Versions } from './catalog.js';
import { type FolderContent, folderStamp, readFolder } from './folder/read-folder.js';
import { watchFolder } from './folder/watch-folder.js';
import { problemText, type SchemaProblem, schemaInvalid } from './schema-problem.js';

export interface SchemaFolderOptions {
  /** Told of what is wrong with files, once for each change. */
  readonly warn: (message: string) => void;
  /** Milliseconds between looks at the files' times, for file systems that report no changes. */
  readonly pollInterval?: number;
  /** Whether to listen to what the file system reports as well. */
  readonly watchEvents?: boolean;
}

/** Milliseconds within which an editor's save is over: it may empty a file, or replace it by another, before it is done. */
const saveTime = 150;

/** Opens a folder of schema files and follows their changes; refuses to start with a file that is broken. */
export async function openSchemaFolder(dir: string, options: SchemaFolderOptions): Promise<SchemaFolder> {
  const content = await readFolder(dir);
  const settlement = settle(content.files, new Map());
  if (settlement.catalog.problems.length > 0) throw schemaInvalid(settlement.catalog.problems);
  for (const warning of settlement.catalog.warnings) options.warn(warning);
  if (content.files.length === 0) options.warn(`${dir} has no .schema.json files, so it makes no tools`);
  return new SchemaFolder(dir, options, content, settlement);
}

/** A folder of schema files, as it is in force: a file that breaks keeps its last good version. */
export class SchemaFolder {
  readonly dir: string;
  readonly #warn: (message: string) => void;
  readonly #listeners = new Set<() => void>();
  readonly #closing = new AbortController();
  readonly #stopWatching: () => void;
  #catalog: Catalog;
  #versions: Versions;
  #stamp: string | undefined;
  /** The look that is under way, and whether another one is wanted after it. */
  #looking: Promise<void> | undefined;
  #lookAgain = false;

  /** Use `openSchemaFolder`. */
  constructor(dir: string, options: SchemaFolderOptions, content: FolderContent, settlement: Settlement) {
    this.dir = dir;
    this.#warn = options.warn;
    this.#catalog = settlement.catalog;
    this.#versions = settlement.versions;
    this.#stamp = content.stamp;
    this.#stopWatching = watchFolder(dir, () => this.#look(), {
      pollInterval: options.pollInterval ?? 2_000,
      debounce: saveTime,
      events: options.watchEvents ?? true,
    });
  }

  get catalog(): Catalog {
    return this.#catalog;
  }

  /** Calls `listener` whenever the schemas in force have changed; answers how to stop that. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Stops following the files. */
  async close(): Promise<void> {
    this.#stopWatching();
    this.#listeners.clear();
    this.#closing.abort();
    await this.#looking;
  }

  #look(): void {
    if (this.#closing.signal.aborted) return;
    if (this.#looking !== undefined) {
      this.#lookAgain = true;
      return;
    }
    this.#looking = this.#update()
      .catch((error: unknown) => this.#keep(error))
      .finally(() => {
        this.#looking = undefined;
        if (!this.#lookAgain) return;
        this.#lookAgain = false;
        this.#look();
      });
  }

  async #update(): Promise<void> {
    const stamp = await folderStamp(this.dir);
    if (stamp !== undefined && stamp === this.#stamp) return;
    let content = await readFolder(this.dir);
    let settlement = settle(content.files, this.#versions);
    if (this.#looksUnfinished(settlement)) {
      await delay(saveTime, undefined, { ref: false, signal: this.#closing.signal });
      content = await readFolder(this.dir);
      settlement = settle(content.files, this.#versions);
    }
    this.#stamp = content.stamp;
    this.#apply(settlement);
  }

  /** Whether a file went away or broke, which may be but a moment of its being saved. */
  #looksUnfinished({ catalog, versions }: Settlement): boolean {
    const known = new Set(this.#catalog.problems.map(problemText));
    return (
      [...this.#versions.keys()].some((file) => !versions.has(file)) ||
      catalog.problems.some((problem) => !known.has(problemText(problem)))
    );
  }

  #apply({ catalog, versions }: Settlement): void {
    const before = this.#catalog;
    this.#catalog = catalog;
    this.#versions = versions;
    this.#report(before, versions);
    if (JSON.stringify([...before.schemas]) !== JSON.stringify([...catalog.schemas])) this.#announce();
  }

  /** Warns of what was not there before. */
  #report(before: Catalog, versions: Versions): void {
    const knownWarnings = new Set(before.warnings);
    const knownProblems = new Set(before.problems.map(problemText));
    for (const warning of this.#catalog.warnings) if (!knownWarnings.has(warning)) this.#warn(warning);
    for (const problem of this.#catalog.problems) {
      const text = problemText(problem);
      const rest = versions.has(problem.file) ? 'its last good version stays in force' : 'it makes no tools';
      if (!knownProblems.has(text)) this.#warn(`${text}; ${rest}`);
    }
  }

  /** The folder itself cannot be read: everything stays in force. */
  #keep(error: unknown): void {
    if (this.#closing.signal.aborted) return;
    const { message, cause } = asTrellisError(error);
    const reason = cause instanceof Error ? `cannot be read: ${cause.message}` : message;
    const problem: SchemaProblem = { file: this.dir, path: '', reason };
    if (this.#catalog.problems.some((known) => problemText(known) === problemText(problem))) return;
    this.#catalog = { ...this.#catalog, problems: [...this.#catalog.problems, problem] };
    this.#stamp = undefined;
    this.#warn(`${problemText(problem)}; the schemas stay as they are`);
  }

  #announce(): void {
    for (const listener of [...this.#listeners]) {
      try {
        listener();
      } catch (error) {
        this.#warn(`A listener to schema changes failed: ${asTrellisError(error).message}`);
      }
    }
  }
}
