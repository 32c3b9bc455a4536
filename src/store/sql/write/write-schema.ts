import type { Violation } from '../../../model/violation.js';
import type { DerivedProperty } from '../../read-results.js';
import { validateBranch } from '../../validate-branch.js';
import type { CompiledGraphSchema, WriteValidator } from '../../write-validator.js';
import type { RowWriter } from '../../writer.js';

/** The graph schema that one write is validated against: its branch's, or the one that it sets itself. */
export class WriteSchema {
  readonly #compile: (source: string) => Promise<CompiledGraphSchema>;
  readonly #isValidated: boolean;
  #source: string | null | undefined;
  #validator: WriteValidator | undefined;

  /** @param isValidated False for a commit that was validated where it was made. */
  constructor(compile: (source: string) => Promise<CompiledGraphSchema>, isValidated = true) {
    this.#compile = compile;
    this.#isValidated = isValidated;
  }

  /** What validates rows as they are put; undefined if there is no schema, or this write need not fit it. */
  get validator(): WriteValidator | undefined {
    return this.#validator;
  }

  /** The schema in force; undefined as long as nobody has read or set it. */
  get source(): string | null | undefined {
    return this.#source;
  }

  async compile(source: string | null): Promise<CompiledGraphSchema | undefined> {
    return source === null ? undefined : this.#compile(source);
  }

  /** From here on the write is validated against this schema. */
  async use(source: string | null): Promise<void> {
    const schema = await this.compile(source);
    this.#source = source;
    this.#validator = this.#isValidated ? schema?.newValidator() : undefined;
  }

  /** See `Writer.derivedProperties`. */
  async derived(writer: RowWriter): Promise<readonly DerivedProperty[]> {
    return (await this.compile(await writer.schema()))?.derivedProperties ?? [];
  }

  /** See `Writer.migrateRows`. */
  async migrateRows(writer: RowWriter, earlier: string): Promise<void> {
    const source = await writer.schema();
    if (source !== earlier) await (await this.compile(source))?.migrateRows(writer, earlier);
  }

  /** See `Writer.violations`. */
  async violations(writer: RowWriter, of: 'written' | 'everything'): Promise<readonly Violation[]> {
    if (this.#validator === undefined) return [];
    if (of === 'written') return this.#validator.violations(writer);
    const schema = await this.compile(await writer.schema());
    return schema === undefined ? [] : validateBranch(writer, schema);
  }
}
