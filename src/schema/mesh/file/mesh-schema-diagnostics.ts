import { formatMeshSchemaProblem, type MeshSchemaProblem } from '../mesh-schema-problem.js';
import { invisibleCharacterProblem } from '../text/invisible-characters.js';
import { quoteValue } from '../text/quote-value.js';

/** Collects every problem of one schema file, so that it can be fixed in one go. */
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

  invalid(path: string, value: unknown, allowed: string): void {
    this.problem(path, `is ${value === undefined ? 'missing' : quoteValue(value)}; it must be ${allowed}`);
  }

  /** A string that agents may see; undefined if it is invalid. */
  text(path: string, value: unknown, maxLength: number): string | undefined {
    if (typeof value !== 'string') {
      this.invalid(path, value, 'a string');
      return undefined;
    }
    if (value.length > maxLength) {
      this.problem(path, `has ${value.length} characters; at most ${maxLength} are allowed`);
      return undefined;
    }
    const invisible = invisibleCharacterProblem(value);
    if (invisible === undefined) return value;
    this.problem(path, `${invisible}; agents see this text, so it may contain visible characters only`);
    return undefined;
  }

  nonBlankText(path: string, value: unknown, maxLength: number): string | undefined {
    const text = this.text(path, value, maxLength);
    if (text?.trim() !== '') return text;
    this.invalid(path, value, 'a string that is not blank');
    return undefined;
  }

  flag(path: string, value: unknown, absent: boolean): boolean {
    if (value === undefined) return absent;
    if (typeof value === 'boolean') return value;
    this.invalid(path, value, 'true or false');
    return absent;
  }

  /** Unknown keys are often misspelt ones. */
  warnUnknownKeys(path: string, given: object, known: readonly string[]): void {
    for (const key of Object.keys(given)) {
      if (known.includes(key)) continue;
      this.warning(childPath(path, key), `is unknown and ignored; known keys: ${known.join(', ')}`);
    }
  }
}

export function childPath(path: string, key: string): string {
  if (!/^[\p{L}\p{M}\p{N}_$-]{1,60}$/u.test(key) || invisibleCharacterProblem(key) !== undefined)
    return `${path}[${quoteValue(key)}]`;
  return path === '' ? key : `${path}.${key}`;
}
