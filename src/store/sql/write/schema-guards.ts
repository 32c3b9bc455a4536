import { LruCache } from '../../../bounds/lru-cache.js';
import { TrellisError } from '../../../model/error.js';
import type { Guards, SchemaKeeper, WriteGuard } from '../../write-guard.js';
import type { Executor } from '../executor.js';
import { schemaAt } from '../graph-schema.js';

/** Guards for the writes of one store, by the source of the schema they are held against. */
export class SchemaGuards {
  readonly #guards: Guards | undefined;
  /** Those of the graphs that are written to. */
  readonly #keepers = new LruCache<SchemaKeeper>(100);

  constructor(guards: Guards | undefined) {
    this.#guards = guards;
  }

  /** The guard of a write to a branch whose schema was set by a commit. */
  async at(executor: Executor, graph: number, seq: number | null): Promise<WriteGuard | undefined> {
    return seq === null ? undefined : this.of(await schemaAt(executor, graph, seq));
  }

  /** A fresh guard for a schema; none for no schema. */
  async of(source: string | null): Promise<WriteGuard | undefined> {
    return source === null ? undefined : (await this.keeper(source)).guard();
  }

  /** What keeps a schema. */
  async keeper(source: string): Promise<SchemaKeeper> {
    const known = this.#keepers.get(source);
    if (known !== undefined) return known;
    const keeper = await this.#make(source);
    this.#keepers.set(source, keeper);
    return keeper;
  }

  #make(source: string): Promise<SchemaKeeper> {
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
