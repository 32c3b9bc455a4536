import type { CheckContext, QueryScope, ScopedVariable } from './query-scope.js';

/** Which variables of a query are connected, by clauses that use several of them. */
export class ConnectedVariables {
  readonly #query: CheckContext;
  readonly #groups = new Map<ScopedVariable, Set<ScopedVariable>>();

  constructor(query: CheckContext) {
    this.#query = query;
  }

  /** Connects all variables that `work` references. */
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

  /** Warns if a variable is not connected to the first one. */
  warnCrossJoin(scope: QueryScope): void {
    const nodes = scope.variables.filter((variable) => variable.kind === 'node');
    const [first] = nodes;
    const stray = nodes.find((variable) => first !== undefined && !this.#groups.get(first)?.has(variable));
    if (first === undefined || stray === undefined) return;
    this.#query.warnings.add(
      stray.at,
      'cross_join',
      `$${stray.name} is not connected to $${first.name}, so every pair is returned (cross join).`,
    );
  }
}
