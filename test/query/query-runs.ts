import type { StoreKind } from '../helpers/stores.js';

/** How many queries are tried, and how long that may take: beside other work a machine takes many times as long. */
export interface QueryRuns {
  readonly graphs: number;
  readonly timeoutMs: number;
  readonly queryLimitMs: number;
  /** Says how far a long run is. */
  report(kind: string, graphs: number): void;
}

/** @param usual Queries that are tried unless `npm run queries -- --runs N` says otherwise. */
export function queryRuns(usual: number, queriesPerGraph: number): QueryRuns {
  const asked = process.env['TRELLIS_TEST_QUERIES'];
  const queries = Number(asked ?? usual);
  return {
    graphs: Math.ceil(queries / queriesPerGraph),
    timeoutMs: 600_000 + 2_000 * queries,
    queryLimitMs: 300_000,
    report(kind, graphs) {
      const done = (graphs - 1) * queriesPerGraph;
      if (asked !== undefined && done > 0 && done % 1_000 === 0)
        process.stderr.write(`${kind}: ${done} of ${queries} queries\n`);
    },
  };
}

/** A store whose statements may take as long as a busy machine takes. */
export function patient(kind: StoreKind): StoreKind {
  if (kind.kind !== 'postgres') return kind;
  return {
    ...kind,
    async place() {
      const { path, remove } = await kind.place();
      const url = new URL(path);
      for (const limit of ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout'])
        url.searchParams.set(limit, '600000');
      return { path: url.href, remove };
    },
  };
}
