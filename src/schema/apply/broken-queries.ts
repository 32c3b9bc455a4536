import { TrellisError } from '../../model/error.js';

/** A stored query that a schema does not fit, and why. */
export interface BrokenQuery {
  readonly name: string;
  readonly problem: string;
}

/** Refuses a schema that breaks stored queries, naming them. */
export function refuseBroken(queries: readonly BrokenQuery[]): void {
  const [first, ...others] = queries;
  if (first === undefined) return;
  const more = others.length > 0 ? ` And ${others.length} more.` : '';
  throw new TrellisError(
    'SCHEMA_BREAKS_QUERY',
    `The stored query ${first.name} would no longer work: ${first.problem}${more}`,
    { hint: 'Nothing was changed. Change the query first, or keep what it needs.', details: { queries } },
  );
}
