import type { Violation } from '../../../model/violation.js';
import type { DerivedProperty } from '../../read-results.js';
import { validateBranch } from '../../validate-branch.js';
import type { CompiledGraphSchema, WriteValidator } from '../../write-validator.js';
import type { RowWriter } from '../../writer.js';

/** The graph schema of one write: its branch's, or the one that it sets. */
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

  /** Undefined if there is no schema, or this write is not validated. */
  get validator(): WriteValidator | undefined {
    return this.#validator;
  }

  /** Undefined as long as nobody has read or set it. */
  get source(): string | null | undefined {
    return this.#source;
  }

  async compile(source: string | null): Promise<CompiledGraphSchema | undefined> {
    return source === null ? undefined : this.#compile(source);
  }

  async use(source: string | null): Promise<void> {
    const schema = await this.compile(source);
    this.#source = source;
    this.#validator = this.#isValidated ? schema?.newValidator() : undefined;
  }

  async derived(writer: RowWriter): Promise<readonly DerivedProperty[]> {
    return (await this.compile(await writer.schema()))?.derivedProperties ?? [];
  }

  async migrateRows(writer: RowWriter, earlier: string): Promise<void> {
    const source = await writer.schema();
    if (source !== earlier) await (await this.compile(source))?.migrateRows(writer, earlier);
  }

  async violations(writer: RowWriter, of: 'written' | 'everything'): Promise<readonly Violation[]> {
    if (this.#validator === undefined) return [];
    if (of === 'written') return this.#validator.violations(writer);
    const schema = await this.compile(await writer.schema());
    return schema === undefined ? [] : validateBranch(writer, schema);
  }
}
