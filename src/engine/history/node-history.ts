import type { Commit } from '../../model/commit.js';
import { TrellisError } from '../../model/error.js';
import { type NodeId, stubType } from '../../model/node.js';
import { registryType } from '../../model/registry-node.js';
import type { Reader } from '../../store/reader.js';
import { isOfType, type NodeName } from '../specs.js';
import { ambiguousName, nodeNotFound } from '../write/nodes-by-name.js';
import { diffStates } from './diff-states.js';
import type { GraphDiff } from './graph-diff.js';

export interface NodeVersion {
  readonly commit: Commit;
  /** What the commit changed of the node, its observations and its edges; null if `trellis gc` has dropped that. */
  readonly changes: GraphDiff | null;
}

/** What commits that touched a node changed of it, each against its parent. */
export async function describeVersions(
  reader: Reader,
  node: NodeId,
  commits: readonly Commit[],
): Promise<NodeVersion[]> {
  const edges = await reader.edgesTouched(
    node,
    commits.map(({ seq }) => seq),
  );
  const versions: NodeVersion[] = [];
  for (const commit of commits) {
    const touched = { nodes: [node], edges: edges.get(commit.seq) ?? [] };
    versions.push({ commit, changes: await changesOf(reader, commit, touched) });
  }
  return versions;
}

async function changesOf(
  reader: Reader,
  commit: Commit,
  touched: Parameters<typeof diffStates>[2],
): Promise<GraphDiff | null> {
  try {
    const [before, after] = [await reader.at(commit.parent), await reader.at(commit.id)];
    const { nodes, edges } = await diffStates(before, after, touched);
    return { nodes, edges };
  } catch (error) {
    if (error instanceof TrellisError && error.code === 'COMMIT_COLLECTED') return null;
    throw error;
  }
}

/** The node that has a name, or had it before it was deleted or renamed. */
export async function findNodeWithHistory(reader: Reader, wanted: NodeName): Promise<NodeId> {
  const { name, type } = wanted;
  const live = (await reader.nodesNamed([name])).filter((node) => !node.stub && node.name === name);
  const found = (live.length > 0 ? live : await formerNodes(reader, name)).filter((node) =>
    isOfType(node, type),
  );
  const [first = nodeNotFound(wanted), ...others] = found;
  if (others.every(({ id }) => id === first.id)) return first.id;
  const types = found.map((node) => node.type);
  throw ambiguousName(name, types, 'type');
}

/** Identities belong to all branches; only nodes that this one ever touched are its own. */
async function formerNodes(reader: Reader, name: string): Promise<{ id: NodeId; type: string }[]> {
  const known = await reader.identitiesNamed([name]);
  const touched = await reader.lastTouched(known.map(({ node }) => node));
  return known
    .filter(({ node, type }) => touched.has(node) && type !== registryType && type !== stubType)
    .map(({ node, type }) => ({ id: node, type }));
}
