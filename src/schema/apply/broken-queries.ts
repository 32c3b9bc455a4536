import { TrellisError } from '../../model/error.js';

/** A stored query that a schema breaks. */
export interface BrokenQuery {
  readonly name: string;
  readonly problem: string;
  /** Not named to clients that may not invoke it. */
  readonly isHidden?: boolean;
}

export function refuseBrokenQueries(queries: readonly BrokenQuery[]): void {
  if (queries.length === 0) return;
  const named = queries.filter(({ isHidden = false }) => !isHidden);
  throw new TrellisError('SCHEMA_BREAKS_QUERY', brokenQueriesMessage(named, queries.length), {
    hint: 'Nothing was changed. Change the query first, or keep what it needs.',
    details: { queries: named },
  });
}

function brokenQueriesMessage([first]: readonly BrokenQuery[], count: number): string {
  if (first === undefined)
    return count === 1
      ? 'A stored query that you may not invoke would no longer work.'
      : `${count} stored queries that you may not invoke would no longer work.`;
  const more = count > 1 ? ` And ${count - 1} more.` : '';
  return `The stored query ${first.name} would no longer work: ${first.problem}${more}`;
}
