/** The lengths of reads that may be long; what each of them means is said there. */
export type LongReadLength = 'linear' | 'thorough' | 'unbounded';

/** How a read is run, and what may end it before it is done. */
export interface ReadOptions {
  /**
   * `short` (the default) looks at a few things, and is never ended. `linear` looks at much of a graph, so that it is long
   * if the graph is large, and `thorough` does so again and again. `unbounded` may take any time on any graph. Nobody waits
   * for long ones but who asked.
   */
  readonly length?: 'short' | LongReadLength | undefined;
  /**
   * For whom it is: where reads have to wait, those of different actors take turns. A short read for an actor that turns out
   * long is begun again where it keeps nobody waiting, so its work must do nothing but read.
   */
  readonly actor?: string | undefined;
  /** Milliseconds, from the call on, after which it ends with `LIMIT_EXCEEDED`. */
  readonly timeLimit?: number | undefined;
  /** Ends it when it is aborted: with the reason, if that is a `TrellisError`, else with `CANCELLED`. */
  readonly signal?: AbortSignal | undefined;
}
