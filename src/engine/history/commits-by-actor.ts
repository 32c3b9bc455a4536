import { mainBranch } from '../../model/graph-record.js';
import type { Store } from '../../store/store-contract.js';

const pageSize = 500;

interface CommitsByActorRequest {
  readonly graph: string;
  /** Default: `main`. */
  readonly branch?: string | undefined;
  readonly actor: string;
  /** Milliseconds since 1970. */
  readonly since: number;
  /** Ignores commits by this tool. */
  readonly except?: string;
}

/** Including merged commits, newest first. */
export async function commitsByActor(store: Store, wanted: CommitsByActorRequest): Promise<string[]> {
  const { graph, branch = mainBranch, actor, since, except } = wanted;
  const found: string[] = [];
  for (let before: number | undefined; ; ) {
    const page = await store.commits({ graph, branch }, { before, limit: pageSize });
    const recent = page.filter((commit) => commit.time >= since);
    for (const commit of recent) {
      if (commit.actor === actor && commit.tool !== except) found.push(commit.id);
    }
    // Clocks differ, so one old commit does not mean that all earlier ones are old.
    if (page.length < pageSize || recent.length === 0) return found;
    before = page.at(-1)?.seq;
  }
}
