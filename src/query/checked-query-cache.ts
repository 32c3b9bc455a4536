import { LruCache } from '../bounds/lru-cache.js';
import type { Source } from '../language/source.js';
import { TrellisError } from '../model/error.js';
import { didYouMean } from '../model/nearest.js';
import { cachedGraphSchema } from '../schema/enforce/graph-schema-cache.js';
import { checkQueries } from './check/check-query.js';
import type { CheckedMutation, CheckedQuery, CheckedRead } from './check/checked-query.js';

const queryCache = new LruCache<readonly CheckedQuery[]>(200);
export const maxCachedLength = 20_000;

export type CheckedQueryOf<B> = CheckedQuery & { readonly body: B };

export function checkQueriesCached(source: Source, schema: string | null): readonly CheckedQuery[] {
  const check = () => checkQueries(source, schema === null ? null : cachedGraphSchema(schema));
  if (source.text.length > maxCachedLength) return check();
  return queryCache.getOrCreate(JSON.stringify([source.file ?? null, source.text, schema]), check);
}

/** The query of that name, or the only one. */
export function selectQuery(queries: readonly CheckedQuery[], name: string | undefined): CheckedQuery {
  const names = queries.map((query) => query.name);
  const [first] = queries;
  if (name === undefined) {
    if (first !== undefined && queries.length === 1) return first;
    throw new TrellisError(
      'INVALID_ARGUMENT',
      first === undefined ? 'The source has no query.' : `The source has ${queries.length} queries.`,
      {
        hint:
          first === undefined
            ? 'Write one: query people() { match { $p: Person } return { $p.name } }'
            : `Choose one with name: ${names.slice(0, 20).join(', ')}.`,
      },
    );
  }
  const query = queries.find((candidate) => candidate.name === name);
  if (query !== undefined) return query;
  throw new TrellisError(
    'INVALID_ARGUMENT',
    `The source has no query ${JSON.stringify(name)}.${didYouMean(name, names)}`,
    { hint: names.length === 0 ? 'It has none.' : `It has: ${names.slice(0, 20).join(', ')}.` },
  );
}

export function requireRead(query: CheckedQuery): CheckedQueryOf<CheckedRead> {
  const { body } = query;
  if (body.kind === 'read') return { ...query, body };
  throw new TrellisError('INVALID_ARGUMENT', `The query ${query.name} changes the graph.`, {
    hint: 'Nothing was done. Run it with mutate.',
  });
}

export function requireMutation(query: CheckedQuery): CheckedQueryOf<CheckedMutation> {
  const { body } = query;
  if (body.kind === 'mutation') return { ...query, body };
  throw new TrellisError('INVALID_ARGUMENT', `The query ${query.name} only reads.`, {
    hint: 'Nothing was done. Run it with query.',
  });
}
