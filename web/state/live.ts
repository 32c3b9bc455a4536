import { effect, signal } from '@preact/signals';
import { api, type GraphApi } from '../api/graph-api.js';
import { needsSignIn } from './session.js';

/** Grows whenever somebody wrote to the graph; what is shown is then loaded again. */
export const changeCount = signal(0);

const pollMs = 4_000;

export function noteChange(): void {
  changeCount.value += 1;
}

/** Watches the graph and branch of the current address. */
export function followChanges(): void {
  effect(() => {
    const watched = api.value;
    if (watched.graph === '' || needsSignIn.value) return;
    const ending = new AbortController();
    void poll(watched, ending.signal);
    return () => ending.abort();
  });
}

async function poll(watched: GraphApi, signal: AbortSignal): Promise<void> {
  let newest: string | undefined;
  while (!signal.aborted) {
    if (!document.hidden) {
      const head = await headOf(watched, signal);
      if (newest !== undefined && head !== undefined && head !== newest) noteChange();
      newest = head ?? newest;
    }
    await pause(pollMs, signal);
  }
}

/** The newest commit; undefined while the server does not tell. */
async function headOf(watched: GraphApi, signal: AbortSignal): Promise<string | undefined> {
  try {
    const { commits } = await watched.commits({ limit: 1 }, signal);
    return commits[0]?.commit_id ?? 'none';
  } catch {
    return undefined;
  }
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
