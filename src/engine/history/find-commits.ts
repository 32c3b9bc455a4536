import type { Commit } from '../../model/commit.js';
import { mainBranch } from '../../model/graph-record.js';
import type { NodeId } from '../../model/node.js';
import type { Store } from '../../store/store-contract.js';

const pageSize = 500;

export interface CommitFilter {
  readonly graph: string;
  /** Default: `main`. */
  readonly branch?: string | undefined;
  readonly actor?: string | undefined;
  readonly tool?: string | undefined;
  /** Milliseconds since 1970. */
  readonly since?: number | undefined;
  readonly until?: number | undefined;
  /** Only commits that touched this node, its observations or its edges. */
  readonly node?: NodeId | undefined;
  /** Ignores commits by these tools. */
  readonly except?: readonly string[];
  /** Only commits with a lower seq. */
  readonly before?: number | undefined;
  readonly limit?: number;
}

/** Including merged commits, newest first. */
export async function findCommits(store: Store, filter: CommitFilter): Promise<Commit[]> {
  const { graph, branch = mainBranch, node, since = 0, limit = Number.POSITIVE_INFINITY } = filter;
  const found: Commit[] = [];
  for (let { before } = filter; ; ) {
    const page = await store.commits({ graph, branch }, { before, node, limit: Math.min(pageSize, limit) });
    const recent = page.filter((commit) => commit.time >= since);
    found.push(...recent.filter((commit) => isWanted(commit, filter)));
    // Clocks differ, so one old commit does not mean that all earlier ones are old.
    const isLast = page.length < Math.min(pageSize, limit) || recent.length === 0;
    if (isLast || found.length >= limit) return found.slice(0, limit);
    before = page.at(-1)?.seq;
  }
}

function isWanted({ actor, tool, time }: Commit, filter: CommitFilter): boolean {
  return (
    actor === (filter.actor ?? actor) &&
    tool === (filter.tool ?? tool) &&
    !filter.except?.includes(tool) &&
    time <= (filter.until ?? time)
  );
}
