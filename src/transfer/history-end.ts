import type { Commit } from '../model/commit.js';
import type { Branch } from '../model/graph-record.js';
import type { Capabilities, Store } from '../store/store-contract.js';

const pageSize = 500;

/** The branches at the moment a copy begins: it stops at their heads, although others may go on writing. */
export type HistoryEnd = readonly Branch[];

/** Pages of the commits of these branches up to their heads, oldest first. */
export async function* commitsUntil(
  store: Store,
  graph: string,
  branches: HistoryEnd,
): AsyncGenerator<Commit[]> {
  const heads = new Map(branches.map(({ name, headSeq }) => [name, headSeq]));
  const last = Math.max(0, ...heads.values());
  for (let seq = 0; seq < last; ) {
    const page = await store.commitsSince(graph, seq, pageSize);
    const next = page.at(-1)?.seq;
    if (next === undefined) return;
    seq = next;
    // Branches are written concurrently: a lower seq may become visible after a higher one, and then it is too late.
    // Branches created later are left out.
    yield page.filter((commit) => commit.seq <= (heads.get(commit.branch) ?? 0));
  }
}

/** Whether commits can be copied one by one: both stores keep them, and each can still be read. */
export async function canCopyHistory(source: Store, target: Capabilities, graph: string): Promise<boolean> {
  if (!source.capabilities.branches || !target.branches) return false;
  for await (const page of commitsUntil(source, graph, await source.branches(graph))) {
    if (page.some((commit) => commit.collected === true)) return false;
  }
  return true;
}
