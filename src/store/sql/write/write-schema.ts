import type { Violation } from '../../../model/violation.js';
import type { DerivedProperty } from '../../answers.js';
import { holdEverything } from '../../hold-everything.js';
import type { SchemaKeeper, WriteGuard } from '../../write-guard.js';
import type { RowWriter } from '../../writer.js';
import type { SchemaGuards } from './schema-guards.js';

/** What holds a write against a schema; nothing, on a graph without one. */
export interface Guarding {
  readonly guard?: WriteGuard | undefined;
  /** Where to find one if the write itself sets a schema. */
  readonly guards?: SchemaGuards | undefined;
  /** False if the write is not to be held against a schema, though it may set one; default: true. */
  readonly held?: boolean;
}

/** The schema that one write is held against: its branch's, or the one that it sets itself. */
export class WriteSchema {
  readonly #guards: SchemaGuards | undefined;
  readonly #isHeld: boolean;
  #guard: WriteGuard | undefined;
  #source: string | null | undefined;

  constructor({ guard, guards, held = true }: Guarding) {
    this.#guard = guard;
    this.#guards = guards;
    this.#isHeld = held;
  }

  /** What rows are held against as they are put; none if there is no schema, or this write need not fit it. */
  get guard(): WriteGuard | undefined {
    return this.#guard;
  }

  /** What this write has set; undefined as long as it has not. */
  get source(): string | null | undefined {
    return this.#source;
  }

  /** What keeps a schema; none for no schema. */
  async keeper(source: string | null): Promise<SchemaKeeper | undefined> {
    return source === null ? undefined : this.#guards?.keeper(source);
  }

  /** See `Writer.derivedProperties`. */
  async derived(writer: RowWriter): Promise<readonly DerivedProperty[]> {
    return (await this.keeper(await writer.schema()))?.derived ?? [];
  }

  /** See `Writer.bringRows`. */
  async bringRows(writer: RowWriter, earlier: string): Promise<void> {
    const source = await writer.schema();
    if (source !== earlier) await (await this.keeper(source))?.bringRows(writer, earlier);
  }

  /** See `Writer.violations`. */
  async violations(writer: RowWriter, of: 'written' | 'everything'): Promise<readonly Violation[]> {
    if (this.#guard === undefined) return [];
    if (of === 'written') return this.#guard.violations(writer);
    const keeper = await this.keeper(await writer.schema());
    return holdEverything(writer, () => keeper?.guard());
  }

  /** From here on the write is held against this schema. */
  set(source: string | null, keeper: SchemaKeeper | undefined): void {
    this.#source = source;
    this.#guard = this.#isHeld ? keeper?.guard() : undefined;
  }
}
