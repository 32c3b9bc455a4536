import { useEffect, useState } from 'preact/hooks';
import { asApiError } from '../../state/use-load.js';
import type { QueryHead } from './parse-query-heads.js';
import { explainQuery, problemsIn, type SourceProblem } from './query-api.js';

const typingPauseMs = 400;

/** What is wrong with the query, as the server sees it, whenever the reader stops typing. */
export function useProblems(source: string, head: QueryHead | undefined): readonly SourceProblem[] {
  const [found, setFound] = useState<readonly SourceProblem[]>([]);
  const name = head?.name;
  const canCheck = source.trim() !== '' && head?.mutation !== true;
  useEffect(() => {
    setFound([]);
    if (!canCheck) return;
    const ending = new AbortController();
    const timer = setTimeout(
      () =>
        explainQuery({ source, name }, ending.signal).catch((error: unknown) => {
          if (!ending.signal.aborted) setFound(problemsIn(asApiError(error)));
        }),
      typingPauseMs,
    );
    return () => {
      clearTimeout(timer);
      ending.abort();
    };
  }, [source, name, canCheck]);
  return found;
}
