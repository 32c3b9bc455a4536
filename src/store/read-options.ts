/** See `ReadOptions.length`. */
export type LongReadLength = 'linear' | 'thorough' | 'unbounded';

export interface ReadOptions {
  /**
   * `short` (the default) reads a few things and is never cancelled. `linear` reads much of a graph, `thorough` does so
   * repeatedly, and `unbounded` may take any time. Only the caller waits for the long ones.
   */
  readonly length?: 'short' | LongReadLength | undefined;
  /**
   * Where reads have to wait, actors take turns. A short read of an actor that turns out to be long starts again where
   * it blocks nobody, so its work must only read.
   */
  readonly actor?: string | undefined;
  /** In milliseconds from the call; then the read ends with `LIMIT_EXCEEDED`. */
  readonly timeLimit?: number | undefined;
  /** Ends the read when aborted: with the reason if that is a `TrellisError`, else with `CANCELLED`. */
  readonly signal?: AbortSignal | undefined;
}
