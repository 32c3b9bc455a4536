import { TrellisError } from '../../model/error.js';
import type { GuardFactory, Guards, WriteGuard } from '../write-guard.js';
import type { Executor } from './executor.js';
import { schemaAt } from './graph-schema.js';

/** So many schemas are kept ready: those of the graphs that are written to. */
const kept = 100;

/** Guards for the writes of one store, by the source of the schema they are held against. */
export class SchemaGuards {
  readonly #guards: Guards | undefined;
  readonly #factories = new Map<string, GuardFactory>();

  constructor(guards: Guards | undefined) {
    this.#guards = guards;
  }

  /** The guard of a write to a branch whose schema was set by a commit. */
  async at(executor: Executor, graph: number, seq: number | null): Promise<WriteGuard | undefined> {
    return seq === null ? undefined : this.of(await schemaAt(executor, graph, seq));
  }

  /** A fresh guard for a schema; none for no schema. */
  async of(source: string | null): Promise<WriteGuard | undefined> {
    if (source === null) return undefined;
    const factory = this.#factories.get(source) ?? (await this.#make(source));
    this.#factories.delete(source);
    this.#factories.set(source, factory);
    const [oldest] = this.#factories.keys();
    if (this.#factories.size > kept && oldest !== undefined) this.#factories.delete(oldest);
    return factory();
  }

  #make(source: string): Promise<GuardFactory> {
    if (this.#guards !== undefined) return this.#guards(source);
    throw new TrellisError(
      'CAPABILITY_MISSING',
      'The graph has a schema, and this store was opened without one who holds writes against it.',
      {
        hint: 'Open the store with the option guards.',
      },
    );
  }
}
