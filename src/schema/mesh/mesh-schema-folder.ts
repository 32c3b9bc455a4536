import { setTimeout as delay } from 'node:timers/promises';
import { asTrellisError } from '../../model/error.js';
import {
  type MeshSchemaFolderContent,
  readFolderStamp,
  readMeshSchemaFolder,
} from './folder/read-mesh-schema-folder.js';
import { watchFolder } from './folder/watch-folder.js';
import {
  type MeshCatalog,
  type MeshSchemaVersions,
  type ResolvedCatalog,
  resolveCatalog,
} from './mesh-catalog.js';
import { formatMeshSchemaProblem, type MeshSchemaProblem, meshSchemaError } from './mesh-schema-problem.js';

export interface MeshSchemaFolderOptions {
  /** Called once for each new problem. */
  readonly warn: (message: string) => void;
  /** Milliseconds between polls, for file systems that report no changes. */
  readonly pollInterval?: number;
  readonly watchEvents?: boolean;
}

/** How long an editor's save may take: it may empty or replace a file before it is done. */
const saveDebounceMs = 150;

/** Opens a folder of schema files and follows changes; throws if a file is invalid. */
export async function openMeshSchemaFolder(
  dir: string,
  options: MeshSchemaFolderOptions,
): Promise<MeshSchemaFolder> {
  const content = await readMeshSchemaFolder(dir);
  const resolved = resolveCatalog(content.files, new Map());
  if (resolved.catalog.problems.length > 0) throw meshSchemaError(resolved.catalog.problems);
  for (const warning of resolved.catalog.warnings) options.warn(warning);
  if (content.files.length === 0) options.warn(`${dir} has no .schema.json files, so it defines no tools`);
  return new MeshSchemaFolder(dir, options, content, resolved);
}

/** The schemas of a folder; a file that becomes invalid keeps its last valid version. */
export class MeshSchemaFolder {
  readonly dir: string;
  readonly #warn: (message: string) => void;
  readonly #listeners = new Set<() => void>();
  readonly #closing = new AbortController();
  readonly #stopWatching: () => void;
  #catalog: MeshCatalog;
  #versions: MeshSchemaVersions;
  #stamp: string | undefined;
  /** The refresh in progress, and whether another must follow. */
  #refreshing: Promise<void> | undefined;
  #refreshAgain = false;

  /** Use `openMeshSchemaFolder`. */
  constructor(
    dir: string,
    options: MeshSchemaFolderOptions,
    content: MeshSchemaFolderContent,
    resolved: ResolvedCatalog,
  ) {
    this.dir = dir;
    this.#warn = options.warn;
    this.#catalog = resolved.catalog;
    this.#versions = resolved.versions;
    this.#stamp = content.stamp;
    this.#stopWatching = watchFolder(dir, () => this.#refresh(), {
      pollInterval: options.pollInterval ?? 2_000,
      debounce: saveDebounceMs,
      events: options.watchEvents ?? true,
    });
  }

  get catalog(): MeshCatalog {
    return this.#catalog;
  }

  /** Returns a function that removes the listener. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async close(): Promise<void> {
    this.#stopWatching();
    this.#listeners.clear();
    this.#closing.abort();
    await this.#refreshing;
  }

  #refresh(): void {
    if (this.#closing.signal.aborted) return;
    if (this.#refreshing !== undefined) {
      this.#refreshAgain = true;
      return;
    }
    this.#refreshing = this.#update()
      .catch((error: unknown) => this.#keep(error))
      .finally(() => {
        this.#refreshing = undefined;
        if (!this.#refreshAgain) return;
        this.#refreshAgain = false;
        this.#refresh();
      });
  }

  async #update(): Promise<void> {
    const stamp = await readFolderStamp(this.dir);
    if (stamp !== undefined && stamp === this.#stamp) return;
    let content = await readMeshSchemaFolder(this.dir);
    let resolved = resolveCatalog(content.files, this.#versions);
    if (this.#looksUnfinished(resolved)) {
      await delay(saveDebounceMs, undefined, { ref: false, signal: this.#closing.signal });
      content = await readMeshSchemaFolder(this.dir);
      resolved = resolveCatalog(content.files, this.#versions);
    }
    this.#stamp = content.stamp;
    this.#apply(resolved);
  }

  /** A file disappeared or became invalid: perhaps an editor is saving it. */
  #looksUnfinished({ catalog, versions }: ResolvedCatalog): boolean {
    const known = new Set(this.#catalog.problems.map(formatMeshSchemaProblem));
    return (
      [...this.#versions.keys()].some((file) => !versions.has(file)) ||
      catalog.problems.some((problem) => !known.has(formatMeshSchemaProblem(problem)))
    );
  }

  #apply({ catalog, versions }: ResolvedCatalog): void {
    const before = this.#catalog;
    this.#catalog = catalog;
    this.#versions = versions;
    this.#report(before, versions);
    if (JSON.stringify([...before.schemas]) !== JSON.stringify([...catalog.schemas])) this.#announce();
  }

  #report(before: MeshCatalog, versions: MeshSchemaVersions): void {
    const knownWarnings = new Set(before.warnings);
    const knownProblems = new Set(before.problems.map(formatMeshSchemaProblem));
    for (const warning of this.#catalog.warnings) if (!knownWarnings.has(warning)) this.#warn(warning);
    for (const problem of this.#catalog.problems) {
      const text = formatMeshSchemaProblem(problem);
      const rest = versions.has(problem.file)
        ? 'its last valid version is still used'
        : 'it defines no tools';
      if (!knownProblems.has(text)) this.#warn(`${text}; ${rest}`);
    }
  }

  /** The folder cannot be read: everything stays in force. */
  #keep(error: unknown): void {
    if (this.#closing.signal.aborted) return;
    const { message, cause } = asTrellisError(error);
    const reason = cause instanceof Error ? `cannot be read: ${cause.message}` : message;
    const problem: MeshSchemaProblem = { file: this.dir, path: '', reason };
    if (
      this.#catalog.problems.some(
        (known) => formatMeshSchemaProblem(known) === formatMeshSchemaProblem(problem),
      )
    )
      return;
    this.#catalog = { ...this.#catalog, problems: [...this.#catalog.problems, problem] };
    this.#stamp = undefined;
    this.#warn(`${formatMeshSchemaProblem(problem)}; the loaded schemas are kept`);
  }

  #announce(): void {
    for (const listener of [...this.#listeners]) {
      try {
        listener();
      } catch (error) {
        this.#warn(`A schema change listener failed: ${asTrellisError(error).message}`);
      }
    }
  }
}
