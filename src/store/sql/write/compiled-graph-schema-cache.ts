import { LruCache } from '../../../bounds/lru-cache.js';
import { TrellisError } from '../../../model/error.js';
import type { CompiledGraphSchema, CompileGraphSchema, WriteValidator } from '../../write-validator.js';
import type { Executor } from '../executor.js';
import { graphSchemaAt } from '../graph-schema-versions.js';

/** Guards for the writes of one store, by the source of the schema they are held against. */
export class CompiledGraphSchemaCache {
  readonly #guards: CompileGraphSchema | undefined;
  /** Those of the graphs that are written to. */
  readonly #keepers = new LruCache<CompiledGraphSchema>(100);

  constructor(guards: CompileGraphSchema | undefined) {
    this.#guards = guards;
  }

  /** The guard of a write to a branch whose schema was set by a commit. */
  async writeValidatorAt(
    executor: Executor,
    graph: number,
    seq: number | null,
  ): Promise<WriteValidator | undefined> {
    return seq === null ? undefined : this.writeValidatorFor(await graphSchemaAt(executor, graph, seq));
  }

  /** A fresh guard for a schema; none for no schema. */
  async writeValidatorFor(source: string | null): Promise<WriteValidator | undefined> {
    return source === null ? undefined : (await this.load(source)).writeValidator();
  }

  /** What keeps a schema. */
  async load(source: string): Promise<CompiledGraphSchema> {
    const known = this.#keepers.get(source);
    if (known !== undefined) return known;
    const keeper = await this.#make(source);
    this.#keepers.set(source, keeper);
    return keeper;
  }

  #make(source: string): Promise<CompiledGraphSchema> {
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
