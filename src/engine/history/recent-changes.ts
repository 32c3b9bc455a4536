import type { Commit } from '../../model/commit.js';
import { asTrellisError } from '../../model/error.js';
import type { Node, NodeId } from '../../model/node.js';
import type { Reader } from '../../store/reader.js';
import { paginate } from '../read/page.js';

/** What a commit did, in short. */
export interface CommitOverview {
  readonly commit: Commit;
  /** The first of them, as they are after the commit; removed ones as they were before it. */
  readonly nodes: readonly { readonly node: Node; readonly change: 'added' | 'changed' | 'removed' }[];
  readonly hasMoreNodes: boolean;
  readonly edges: number;
}

/** Nodes listed for one commit. */
const maxNodes = 50;

export async function describeCommits(
  reader: Reader,
  commits: readonly Commit[],
): Promise<readonly CommitOverview[]> {
  const overviews: CommitOverview[] = [];
  for (const commit of commits) overviews.push(await describeCommit(reader, commit));
  return overviews;
}

async function describeCommit(reader: Reader, commit: Commit): Promise<CommitOverview> {
  if (commit.collected) return { commit, nodes: [], hasMoreNodes: false, edges: 0 };
  const touched = await reader.touchedBy(commit.id);
  const { page: ids, more } = paginate(touched.nodes, maxNodes);
  const after = await realNodes(await reader.at(commit.id), ids);
  const before = await nodesBefore(reader, commit, ids);
  return {
    commit,
    nodes: ids.flatMap((id): CommitOverview['nodes'] => {
      const [old, now] = [before?.get(id), after.get(id)];
      if (now !== undefined) return [{ node: now, change: before === null || old ? 'changed' : 'added' }];
      return old === undefined ? [] : [{ node: old, change: 'removed' }];
    }),
    hasMoreNodes: more,
    edges: touched.edges.length,
  };
}

/** Null if that state was garbage-collected. */
async function nodesBefore(
  reader: Reader,
  { parent }: Commit,
  ids: readonly NodeId[],
): Promise<ReadonlyMap<NodeId, Node> | null> {
  try {
    return await realNodes(await reader.at(parent), ids);
  } catch (error) {
    if (asTrellisError(error).code === 'COMMIT_COLLECTED') return null;
    throw error;
  }
}

async function realNodes(reader: Reader, ids: readonly NodeId[]): Promise<ReadonlyMap<NodeId, Node>> {
  const nodes = await reader.nodesById(ids);
  return new Map(nodes.filter(({ stub }) => !stub).map((node) => [node.id, node]));
}
