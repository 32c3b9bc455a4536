import { chunksOf } from '../bounds/chunks.js';
import type { Commit } from '../model/commit.js';
import { type Edge, type EdgeIdentity, edgeKey } from '../model/edge.js';
import type { Node, NodeId, Observation } from '../model/node.js';
import type { TouchedItems } from '../store/read-results.js';
import type { Reader } from '../store/reader.js';
import type { Store } from '../store/store-contract.js';

/** Some of the nodes a commit touched, and their rows after it. */
export interface NodesAfter {
  readonly touched: readonly NodeId[];
  readonly nodes: readonly Node[];
  readonly observations: readonly Observation[];
}

export interface EdgesAfter {
  readonly touched: readonly EdgeIdentity[];
  readonly edges: readonly Edge[];
}

/** What a commit touched, in chunks that are read one at a time. Reading is repeatable. */
interface CommitChunks {
  readonly nodes: readonly CommitChunk<NodesAfter>[];
  readonly edges: readonly CommitChunk<EdgesAfter>[];
  /** Rows that a merge left unchanged. */
  readonly kept: TouchedItems;
  /** As in `TouchedByCommit`. */
  readonly schema: string | null | undefined;
}

export interface CommitChunk<T> {
  /** Reads the chunk, and what `more` asks for, in the state after the commit. */
  read<M>(more: (reader: Reader, after: T) => Promise<M>): Promise<{ readonly after: T; readonly more: M }>;
}

export async function readCommitChunks(
  store: Store,
  graph: string,
  commit: Commit,
  size?: number,
): Promise<CommitChunks> {
  const touched = await store.touchedBy(graph, commit);
  const chunk = <T>(readAfter: (reader: Reader) => Promise<T>): CommitChunk<T> => ({
    read: (more) =>
      store.read({ graph, commit: commit.id }, async (reader) => {
        const after = await readAfter(reader);
        return { after, more: await more(reader, after) };
      }),
  });
  return {
    nodes: chunksOf(touched.nodes, size).map((ids) => chunk((reader) => nodesAfter(reader, ids))),
    edges: chunksOf(touched.edges, size).map((identities) =>
      chunk((reader) => edgesAfter(reader, identities)),
    ),
    kept: touched.kept ?? { nodes: [], edges: [] },
    schema: touched.schema,
  };
}

async function nodesAfter(reader: Reader, touched: readonly NodeId[]): Promise<NodesAfter> {
  const nodes = await reader.nodesById(touched);
  return { touched, nodes, observations: await reader.observationsOf(nodes.map(({ id }) => id)) };
}

async function edgesAfter(reader: Reader, touched: readonly EdgeIdentity[]): Promise<EdgesAfter> {
  return { touched, edges: await reader.edgesByIdentity(touched) };
}

export function removedNodes({ touched, nodes }: NodesAfter): NodeId[] {
  const there = new Set(nodes.map(({ id }) => id));
  return touched.filter((id) => !there.has(id));
}

export function removedEdges({ touched, edges }: EdgesAfter): EdgeIdentity[] {
  const there = new Set(edges.map(edgeKey));
  return touched.filter((identity) => !there.has(edgeKey(identity)));
}
