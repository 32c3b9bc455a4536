import type { QueryContext, Scope, Variable } from './scope.js';

/** Which variables of a query hang together, by whatever clause speaks of several. */
export class Ties {
  readonly #query: QueryContext;
  readonly #groups = new Map<Variable, Set<Variable>>();

  constructor(query: QueryContext) {
    this.#query = query;
  }

  /** Ties together all the variables that are mentioned meanwhile. */
  within<Result>(work: () => Result): Result {
    this.#query.mentioned.clear();
    const result = work();
    const tied = new Set(this.#query.mentioned);
    for (const variable of this.#query.mentioned) {
      for (const other of this.#groups.get(variable) ?? []) tied.add(other);
    }
    for (const variable of tied) this.#groups.set(variable, tied);
    return result;
  }

  /** Warns if some variables have nothing to do with the first ones. */
  warn(scope: Scope): void {
    const nodes = scope.own.filter((variable) => variable.kind === 'node');
    const [first] = nodes;
    const stray = nodes.find((variable) => first !== undefined && !this.#groups.get(first)?.has(variable));
    if (first === undefined || stray === undefined) return;
    this.#query.warnings.add(
      stray.at,
      'cross_join',
      `Nothing ties $${stray.name} to $${first.name}, so every one is combined with every other.`,
    );
  }
}
