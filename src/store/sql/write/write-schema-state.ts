import type { Violation } from '../../../model/violation.js';
import type { DerivedProperty } from '../../read-results.js';
import { validateBranch } from '../../validate-branch.js';
import type { CompiledGraphSchema, WriteValidator } from '../../write-validator.js';
import type { RowWriter } from '../../writer.js';
import type { CompiledGraphSchemaCache } from './compiled-graph-schema-cache.js';

/** What holds a write against a schema; nothing, on a graph without one. */
export interface WriteValidation {
  readonly guard?: WriteValidator | undefined;
  /** Where to find one if the write itself sets a schema. */
  readonly guards?: CompiledGraphSchemaCache | undefined;
  /** False if the write is not to be held against a schema, though it may set one; default: true. */
  readonly held?: boolean;
}

/** The schema that one write is held against: its branch's, or the one that it sets itself. */
export class WriteSchemaState {
  readonly #guards: CompiledGraphSchemaCache | undefined;
  readonly #isHeld: boolean;
  #guard: WriteValidator | undefined;
  #source: string | null | undefined;

  constructor({ guard, guards, held = true }: WriteValidation) {
    this.#guard = guard;
    this.#guards = guards;
    this.#isHeld = held;
  }

  /** What rows are held against as they are put; none if there is no schema, or this write need not fit it. */
  get validator(): WriteValidator | undefined {
    return this.#guard;
  }

  /** What this write has set; undefined as long as it has not. */
  get source(): string | null | undefined {
    return this.#source;
  }

  /** What keeps a schema; none for no schema. */
  async loadSchema(source: string | null): Promise<CompiledGraphSchema | undefined> {
    return source === null ? undefined : this.#guards?.load(source);
  }

  /** See `Writer.derivedProperties`. */
  async derived(writer: RowWriter): Promise<readonly DerivedProperty[]> {
    return (await this.loadSchema(await writer.schema()))?.derivedProperties ?? [];
  }

  /** See `Writer.migrateRows`. */
  async migrateRows(writer: RowWriter, earlier: string): Promise<void> {
    const source = await writer.schema();
    if (source !== earlier) await (await this.loadSchema(source))?.migrateRows(writer, earlier);
  }

  /** See `Writer.violations`. */
  async violations(writer: RowWriter, of: 'written' | 'everything'): Promise<readonly Violation[]> {
    if (this.#guard === undefined) return [];
    if (of === 'written') return this.#guard.violations(writer);
    const keeper = await this.loadSchema(await writer.schema());
    return validateBranch(writer, () => keeper?.writeValidator());
  }

  /** From here on the write is held against this schema. */
  set(source: string | null, keeper: CompiledGraphSchema | undefined): void {
    this.#source = source;
    this.#guard = this.#isHeld ? keeper?.writeValidator() : undefined;
  }
}
