import { useState } from 'preact/hooks';
import type { ApiError } from '../../api/request.js';
import { noteChange } from '../../state/live.js';
import { say } from '../../state/toasts.js';
import { asApiError } from '../../state/use-load.js';
import type { QueryAnswer } from './query-api.js';

export interface Outcome {
  readonly answer?: QueryAnswer;
  readonly error?: ApiError;
}

/** Runs one query at a time, and keeps what came of the last. */
export function useRun() {
  const [outcome, setOutcome] = useState<Outcome>({});
  const [isRunning, setRunning] = useState(false);
  const run = async (start: () => Promise<QueryAnswer>): Promise<void> => {
    setRunning(true);
    try {
      const answer = await start();
      setOutcome({ answer });
      if (answer.rows === undefined) sayChanged(answer);
    } catch (error) {
      setOutcome({ error: asApiError(error) });
    } finally {
      setRunning(false);
    }
  };
  return { outcome, isRunning, run };
}

function sayChanged({ commit_id, affected_nodes: nodes, affected_edges: edges }: QueryAnswer): void {
  if (commit_id === null) say('Nothing changed.');
  else if (nodes === undefined) say('Done.');
  else say(`Changed ${plural(nodes, 'node')} and ${plural(edges ?? 0, 'relation')}.`, { undoes: commit_id });
  noteChange();
}

function plural(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}
