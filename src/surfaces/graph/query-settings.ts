import type { BindContext } from '../../query/bind-query.js';

/** What the queries of a graph are run with, besides what the call says. */
export interface QuerySettings extends Pick<BindContext, 'embed'> {
  /** The most rows that a query returns; without it, the default of the store applies. */
  readonly maxRows: number | undefined;
}
