import type { Commit } from '../model/commit.js';
import type { Branch } from '../model/graph-record.js';
import type { Capabilities, Store } from '../store/store-contract.js';

const pageSize = 500;

/** Where a history ends for whoever works through it, although others may go on writing. */
export interface HistoryEnd {
  readonly branches: readonly Branch[];
}

export async function historyEnd(store: Store, graph: string): Promise<HistoryEnd> {
  return { branches: await store.branches(graph) };
}

/** The commits of all branches that are not deleted up to an end, oldest first, some at a time. */
export async function* commitsUntil(
  store: Store,
  graph: string,
  { branches }: HistoryEnd,
): AsyncGenerator<Commit[]> {
  const heads = new Map(branches.map(({ name, headSeq }) => [name, headSeq]));
  const last = Math.max(0, ...heads.values());
  for (let seq = 0; seq < last; ) {
    const page = await store.commitsSince(graph, seq, pageSize);
    const next = page.at(-1)?.seq;
    if (next === undefined) return;
    seq = next;
    // Branches are written side by side: a lower seq may become visible after a higher one, and then comes too late.
    // A branch made after the end is left out.
    yield page.filter((commit) => commit.seq <= (heads.get(commit.branch) ?? 0));
  }
}

/** Whether commits can be copied one by one: both sides know them, and each can still be read. */
export async function canCopyHistory(source: Store, target: Capabilities, graph: string): Promise<boolean> {
  if (!source.capabilities.branches || !target.branches) return false;
  for await (const page of commitsUntil(source, graph, await historyEnd(source, graph))) {
    if (page.some((commit) => commit.collected === true)) return false;
  }
  return true;
}
