import { TrellisError } from '../../model/error.js';
import type { Json } from '../../model/json.js';
import { limits } from '../../model/limits.js';
import type { CheckedOperand, CheckedScore, Constant } from '../check/checked-query.js';

export function isConstant(operand: CheckedOperand): operand is Constant {
  return operand.kind === 'literal' || operand.kind === 'parameter' || operand.kind === 'now';
}

/** The values of a query's constants in one run of it. */
export class BoundValues {
  readonly #parameters: ReadonlyMap<string, Json>;
  readonly #now: string;
  readonly #vectors: ReadonlyMap<CheckedScore, readonly number[]>;

  constructor(
    parameters: ReadonlyMap<string, Json>,
    now: number,
    vectors: ReadonlyMap<CheckedScore, readonly number[]> = new Map(),
  ) {
    this.#parameters = parameters;
    this.#now = new Date(now).toISOString();
    this.#vectors = vectors;
  }

  resolve(constant: Constant): Json {
    switch (constant.kind) {
      case 'literal':
        return constant.value;
      case 'parameter':
        return this.#parameters.get(constant.name) ?? null;
      case 'now':
        return this.#now;
    }
  }

  isNull(operand: CheckedOperand): boolean {
    return isConstant(operand) && this.resolve(operand) === null;
  }

  /** A text to search for; longer ones cost more. */
  text(constant: Constant): string | null {
    const value = this.resolve(constant);
    if (typeof value !== 'string') return null;
    if (value.length <= limits.queryLength) return value;
    const name = constant.kind === 'parameter' ? ` The parameter ${constant.name} is longer.` : '';
    throw new TrellisError(
      'LIMIT_EXCEEDED',
      `A text to search for has at most ${limits.queryLength} characters.${name}`,
      { hint: 'Search for fewer words.', details: { limit: limits.queryLength } },
    );
  }

  integerInRange(constant: Constant, min: number, max: number, what: string): number {
    const value = this.resolve(constant);
    if (typeof value === 'number' && value >= min && value <= max) return value;
    const name = constant.kind === 'parameter' ? ` The parameter ${constant.name} is out of range.` : '';
    throw new TrellisError('INVALID_ARGUMENT', `${what} must lie in ${min}..${max}.${name}`);
  }

  /** The vector that `nearest` compares with: given, or made from its text. */
  vector(score: CheckedScore & { kind: 'nearest' }): readonly number[] {
    const made = this.#vectors.get(score);
    if (made !== undefined) return made;
    const given = this.resolve(score.to);
    if (!Array.isArray(given)) throw new TrellisError('INTERNAL', 'The vector of a nearest was not made.');
    return given.map(Number);
  }
}
