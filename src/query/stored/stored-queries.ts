import { basename } from 'node:path';
import { formatSourceProblem } from '../../language/source-problem.js';
import type { BrokenQuery } from '../../schema/apply/broken-queries.js';
import type { GraphSchema } from '../../schema/graph/graph-schema.js';
import { findQueryProblems } from '../check/check-query.js';
import type { StoredQuery } from './stored-query.js';

export class StoredQueries {
  readonly all: readonly StoredQuery[];
  readonly #byName: ReadonlyMap<string, StoredQuery>;

  constructor(all: readonly StoredQuery[]) {
    this.all = all;
    this.#byName = new Map(all.map((query) => [query.name, query]));
  }

  get exposed(): readonly StoredQuery[] {
    return this.all.filter(({ isExposed }) => isExposed);
  }

  get(name: string): StoredQuery | undefined {
    return this.#byName.get(name);
  }

  /** Those that another schema would break, and why. Agents see this, so only the base name of a file is given. */
  findBroken(schema: GraphSchema | null): readonly BrokenQuery[] {
    return this.all.flatMap(({ name, source, checked }) => {
      const [problem] = findQueryProblems(source, checked.declaration, schema);
      const file = source.file === undefined ? undefined : basename(source.file);
      return problem === undefined ? [] : [{ name, problem: formatSourceProblem({ file }, problem) }];
    });
  }
}

export const noStoredQueries = new StoredQueries([]);
