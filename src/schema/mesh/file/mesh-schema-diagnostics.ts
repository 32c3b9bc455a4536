import { formatMeshSchemaProblem, type MeshSchemaProblem } from '../mesh-schema-problem.js';
import { invisibleCharacterProblem } from '../text/invisible-characters.js';
import { quoteValue } from '../text/quote-value.js';

/** What comes to light while one schema file is checked: all of it, since nobody likes to mend a file step by step. */
export class MeshSchemaDiagnostics {
  readonly file: string;
  readonly problems: MeshSchemaProblem[] = [];
  readonly warnings: string[] = [];

  constructor(file: string) {
    this.file = file;
  }

  problem(path: string, reason: string): void {
    this.problems.push({ file: this.file, path, reason });
  }

  warning(path: string, reason: string): void {
    this.warnings.push(formatMeshSchemaProblem({ file: this.file, path, reason }));
  }

  /** Notes that a value is not what is allowed. */
  invalid(path: string, value: unknown, allowed: string): void {
    this.problem(path, `is ${value === undefined ? 'missing' : quoteValue(value)}; it must be ${allowed}`);
  }

  /** A text that may reach a model, or undefined if this is none. */
  text(path: string, value: unknown, maxLength: number): string | undefined {
    if (typeof value !== 'string') {
      this.invalid(path, value, 'a text');
      return undefined;
    }
    if (value.length > maxLength) {
      this.problem(path, `has ${value.length} characters; at most ${maxLength} are allowed`);
      return undefined;
    }
    const invisible = invisibleCharacterProblem(value);
    if (invisible === undefined) return value;
    this.problem(path, `${invisible}; agents are shown this text, so it must hold visible characters only`);
    return undefined;
  }

  /** Likewise, and not blank. */
  nonBlankText(path: string, value: unknown, maxLength: number): string | undefined {
    const text = this.text(path, value, maxLength);
    if (text?.trim() !== '') return text;
    this.invalid(path, value, 'a text that is not blank');
    return undefined;
  }

  /** Yes or no; what stands for it if the key is absent. */
  flag(path: string, value: unknown, absent: boolean): boolean {
    if (value === undefined) return absent;
    if (typeof value === 'boolean') return value;
    this.invalid(path, value, 'true or false');
    return absent;
  }

  /** Warns of keys that mean nothing here, which are often misspelt ones. */
  warnUnknownKeys(path: string, given: object, known: readonly string[]): void {
    for (const key of Object.keys(given)) {
      if (known.includes(key)) continue;
      this.warning(childPath(path, key), `is not known and is passed over; known are: ${known.join(', ')}`);
    }
  }
}

/** The path one key further in. */
export function childPath(path: string, key: string): string {
  if (!/^[\p{L}\p{M}\p{N}_$-]{1,60}$/u.test(key) || invisibleCharacterProblem(key) !== undefined)
    return `${path}[${quoteValue(key)}]`;
  return path === '' ? key : `${path}.${key}`;
}
