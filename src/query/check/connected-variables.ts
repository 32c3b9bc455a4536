import type { CheckContext, QueryScope, ScopedVariable } from './query-scope.js';

/** Which variables of a query hang together, by whatever clause speaks of several. */
export class ConnectedVariables {
  readonly #query: CheckContext;
  readonly #groups = new Map<ScopedVariable, Set<ScopedVariable>>();

  constructor(query: CheckContext) {
    this.#query = query;
  }

  /** Ties together all the variables that are mentioned meanwhile. */
  track<Result>(work: () => Result): Result {
    this.#query.referenced.clear();
    const result = work();
    const tied = new Set(this.#query.referenced);
    for (const variable of this.#query.referenced) {
      for (const other of this.#groups.get(variable) ?? []) tied.add(other);
    }
    for (const variable of tied) this.#groups.set(variable, tied);
    return result;
  }

  /** Warns if some variables have nothing to do with the first ones. */
  warnCrossJoin(scope: QueryScope): void {
    const nodes = scope.variables.filter((variable) => variable.kind === 'node');
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
