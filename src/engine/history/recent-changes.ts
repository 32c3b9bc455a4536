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
/** Commits described by one read; it stays short however much they changed. */
const commitsPerRead = 25;

type ReadStates = <T>(work: (reader: Reader) => Promise<T>) => Promise<T>;

export async function describeCommits(
  read: ReadStates,
  commits: readonly Commit[],
): Promise<readonly CommitOverview[]> {
  const overviews: CommitOverview[] = [];
  for (let at = 0; at < commits.length; at += commitsPerRead) {
    const some = commits.slice(at, at + commitsPerRead);
    overviews.push(
      ...(await read((reader) => {
        const states = new States(reader);
        return Promise.all(some.map((commit) => describeCommit(reader, states, commit)));
      })),
    );
  }
  return overviews;
}

async function describeCommit(reader: Reader, states: States, commit: Commit): Promise<CommitOverview> {
  const { edgesCreated, edgesUpdated, edgesDeleted } = commit.counts;
  const edges = commit.collected ? 0 : edgesCreated + edgesUpdated + edgesDeleted;
  const touched = commit.collected ? [] : await reader.nodesTouchedBy(commit.id, maxNodes + 1);
  if (touched.length === 0) return { commit, nodes: [], hasMoreNodes: false, edges };
  const { page: ids, more } = paginate(touched, maxNodes);
  const after = await states.realNodes(commit.id, ids);
  const before = await nodesBefore(states, commit, ids);
  return {
    commit,
    nodes: ids.flatMap((id): CommitOverview['nodes'] => {
      const [old, now] = [before?.get(id), after.get(id)];
      if (now !== undefined) return [{ node: now, change: before === null || old ? 'changed' : 'added' }];
      return old === undefined ? [] : [{ node: old, change: 'removed' }];
    }),
    hasMoreNodes: more,
    edges,
  };
}

/** Null if that state was garbage-collected. */
async function nodesBefore(
  states: States,
  { parent }: Commit,
  ids: readonly NodeId[],
): Promise<ReadonlyMap<NodeId, Node> | null> {
  try {
    return await states.realNodes(parent, ids);
  } catch (error) {
    if (asTrellisError(error).code === 'COMMIT_COLLECTED') return null;
    throw error;
  }
}

/** Most commits are the parent of another one. */
class States {
  readonly #reader: Reader;
  readonly #known = new Map<string | null, Promise<Reader>>();

  constructor(reader: Reader) {
    this.#reader = reader;
  }

  async realNodes(commit: string | null, ids: readonly NodeId[]): Promise<ReadonlyMap<NodeId, Node>> {
    const known = this.#known.get(commit) ?? this.#reader.at(commit);
    this.#known.set(commit, known);
    const nodes = await (await known).nodesById(ids);
    return new Map(nodes.filter(({ stub }) => !stub).map((node) => [node.id, node]));
  }
}
