import { Mutex } from '../../bounds/mutex.js';
import { asTrellisError, TrellisError } from '../../model/error.js';
import { stripColon } from '../gate-names.js';
import type { RegistrySource, SchemaRegistry } from './schema-registry.js';

export interface LoadedRegistry {
  readonly registry: SchemaRegistry;
  readonly fallback: string | undefined;
}

/**
 * The registry in force. A refresh loads another one and then swaps the two, so that a write uses one registry to its
 * end; if loading fails, nothing changes.
 */
export class RegistryCache {
  readonly #source: RegistrySource;
  readonly #fallback: string | undefined;
  #schema: LoadedRegistry | undefined;
  #failure: unknown;
  readonly #mutex = new Mutex();
  readonly #listeners = new Set<() => void>();

  /** `fallback` takes precedence over the fallback label of the source. */
  constructor(source: RegistrySource, fallback?: string) {
    this.#source = source;
    this.#fallback = fallback;
  }

  /** Throws `SCHEMA_SOURCE_UNAVAILABLE` if none was ever loaded. */
  current(): LoadedRegistry {
    if (this.#schema !== undefined) return this.#schema;
    throw unavailable(this.#source, this.#failure);
  }

  get loaded(): LoadedRegistry | undefined {
    return this.#schema;
  }

  /** Returns the function that unsubscribes. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Throws if the registry is invalid; an unreachable one can be refreshed later. */
  async open(warn: (message: string) => void): Promise<void> {
    try {
      this.#schema = await this.#load();
    } catch (error) {
      const { code } = asTrellisError(error);
      if (code === 'SCHEMA_INVALID' || code === 'USAGE') throw error;
      this.#failure = error;
      const { message } = unavailable(this.#source, error);
      warn(`The gate rejects all writes until refresh_schema_cache succeeds. ${message}`);
    }
  }

  /** One at a time, so that an older read never replaces a newer one. */
  async refresh(): Promise<LoadedRegistry> {
    try {
      const schema = await this.#mutex.run(() => this.#load());
      this.#schema = schema;
      for (const listener of this.#listeners) listener();
      return schema;
    } catch (error) {
      this.#failure = error;
      throw unavailable(this.#source, error);
    }
  }

  async #load(): Promise<LoadedRegistry> {
    const registry = await this.#source.load();
    const fallback = this.#fallback ?? registry.fallbackLabel();
    if (fallback === undefined) return { registry, fallback };
    const entry = registry.getEntry(stripColon(fallback));
    if (entry !== undefined) return { registry, fallback: entry.label };
    throw new TrellisError(
      'USAGE',
      `The fallback label ${fallback} is not registered in ${this.#source.name}.`,
      {
        hint: `Register it; if the registry is in the graph: trellis gate schema add ${fallback}`,
        details: { fallback_label: fallback },
      },
    );
  }
}

function unavailable(source: RegistrySource, thrown: unknown): TrellisError {
  const { code, message } = asTrellisError(thrown);
  return new TrellisError(
    'SCHEMA_SOURCE_UNAVAILABLE',
    `The gate registry cannot be loaded from ${source.name}: ${message}`,
    {
      hint: 'Ask the operator of the server to fix it, then call refresh_schema_cache.',
      details: { source: source.name, code, reason: message },
      cause: thrown,
    },
  );
}
