import type { CypherDialect } from '../../cypher/cypher-dialect.js';
import type { Props } from '../../model/json.js';
import { RejectedError } from '../check/rejected-error.js';
import { isReserved } from '../gate-names.js';

/** Rejects names and values that this database has no room for. */
export function rejectUnstorable(dialect: CypherDialect, values: Props, argument: string): void {
  const faults = Object.entries(values).flatMap(([name, value]) => {
    if (isReserved(name)) return [];
    const problem = dialect.nameProblem(name);
    if (problem !== undefined)
      return [{ argument: `${argument}.${name}`, problem: `has a name that ${problem}` }];
    const valueProblem = dialect.valueProblem(value);
    return valueProblem === undefined ? [] : [{ argument: `${argument}.${name}`, problem: valueProblem }];
  });
  if (faults.length === 0) return;
  throw new RejectedError(
    'INVALID_ARGUMENT',
    `${dialect.title} cannot store this: ${faults.map(({ argument, problem }) => `${argument} ${problem}`).join('; ')}.`,
    'Use texts, numbers, booleans, or lists of one of them.',
    { faults },
  );
}
