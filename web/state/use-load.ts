import { useEffect, useState } from 'preact/hooks';
import { ApiError } from '../api/request.js';
import { changeCount } from './live.js';

export interface Loaded<T> {
  readonly data?: T;
  readonly error?: ApiError;
  readonly isLoading: boolean;
  readonly reload: () => void;
}

interface Options {
  /** Whether to load again when somebody writes to the graph. */
  readonly isLive?: boolean;
}

interface State<T> {
  readonly key: string;
  readonly data?: T;
  readonly error?: ApiError;
}

/**
 * Loads what a view shows, again whenever `key` changes. While the same key loads again, the old data stays.
 *
 * @param key Everything that `load` depends on.
 */
export function useLoad<T>(
  key: readonly unknown[],
  load: (signal: AbortSignal) => Promise<T>,
  { isLive = true }: Options = {},
): Loaded<T> {
  const text = JSON.stringify(key);
  const [state, setState] = useState<State<T>>();
  const [attempt, setAttempt] = useState(0);
  const version = isLive ? changeCount.value : 0;
  useEffect(() => {
    const ending = new AbortController();
    load(ending.signal).then(
      (data) => {
        if (!ending.signal.aborted) setState({ key: text, data });
      },
      (error: unknown) => {
        if (!ending.signal.aborted) setState({ key: text, error: asApiError(error) });
      },
    );
    return () => ending.abort();
  }, [text, version, attempt]);
  const reload = () => setAttempt((count) => count + 1);
  if (state?.key !== text) return { isLoading: true, reload };
  const { key: _, ...found } = state;
  return { ...found, isLoading: false, reload };
}

export function asApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  return new ApiError(0, { code: 'PAGE', message: error instanceof Error ? error.message : String(error) });
}
