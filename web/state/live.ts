import { effect, signal } from '@preact/signals';
import { api, type GraphApi } from '../api/graph-api.js';
import { ApiError } from '../api/request.js';
import { readEvents } from './read-events.js';
import { needsSignIn } from './session.js';

/** Grows whenever somebody wrote to the graph; what is shown is then loaded again. */
export const changeCount = signal(0);
/** A hidden tab holds no connection: browsers allow only a few for each host. */
const isVisible = signal(!document.hidden);

const pollMs = 4_000;
const reconnectMs = 1_000;
/** Many commits in a row are shown together. */
const gatherMs = 300;

export function noteChange(): void {
  changeCount.value += 1;
}

/** Watches the graph and branch of the current address. */
export function followChanges(): void {
  document.addEventListener('visibilitychange', () => {
    isVisible.value = !document.hidden;
  });
  let watching = { api: api.peek(), cursor: 'now' };
  effect(() => {
    if (watching.api !== api.value) watching = { api: api.value, cursor: 'now' };
    if (watching.api.graph === '' || needsSignIn.value || !isVisible.value) return;
    const ending = new AbortController();
    void follow(watching, ending.signal);
    return () => ending.abort();
  });
}

/** Goes on from where it was, so nothing is missed while a tab is hidden or a connection is down. */
async function follow(
  watching: { readonly api: GraphApi; cursor: string },
  ending: AbortSignal,
): Promise<void> {
  let isGathering = false;
  const gather = () => {
    if (isGathering) return;
    isGathering = true;
    setTimeout(() => {
      isGathering = false;
      noteChange();
    }, gatherMs);
  };
  while (!ending.aborted) {
    try {
      const stream = await watching.api.changeStream(watching.cursor, ending);
      if (stream === undefined) return poll(watching.api, ending);
      for await (const { id, event } of readEvents(stream)) {
        if (id !== undefined) watching.cursor = id;
        if (event === 'commit') gather();
      }
    } catch (error) {
      if (error instanceof ApiError && error.isHidden) return poll(watching.api, ending);
      // A cursor that the server does not know: what is shown may be anything, so look again.
      if (error instanceof ApiError && error.status >= 400 && watching.cursor !== 'now') {
        watching.cursor = 'now';
        noteChange();
      }
    }
    await pause(reconnectMs, ending);
  }
}

/** For servers without a stream of changes. */
async function poll(watched: GraphApi, ending: AbortSignal): Promise<void> {
  let newest: string | undefined;
  while (!ending.aborted) {
    const head = await headOf(watched, ending);
    if (newest !== undefined && head !== undefined && head !== newest) noteChange();
    newest = head ?? newest;
    await pause(pollMs, ending);
  }
}

/** The newest commit; undefined while the server does not tell. */
async function headOf(watched: GraphApi, ending: AbortSignal): Promise<string | undefined> {
  try {
    const { commits } = await watched.commits({ limit: 1 }, ending);
    return commits[0]?.commit_id ?? 'none';
  } catch {
    return undefined;
  }
}

function pause(milliseconds: number, ending: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    ending.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
