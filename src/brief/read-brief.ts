import { withFacts } from '../engine/read/facts.js';
import type { Node, NodeId } from '../model/node.js';
import { compareOrder } from '../model/order.js';
import type { Reader } from '../store/reader.js';
import {
  type BriefFacts,
  type BriefProject,
  briefMarks,
  type ChangedNode,
  type NamedFact,
  withoutMark,
} from './brief-facts.js';

/** Bounds, so that a brief takes as long in a large graph as in a small one. */
const most = { marked: 200, projects: 3, neighbours: 60, recent: 10, commits: 60 };

export interface BriefRequest {
  /** What the node of the project may be called, the best first. */
  readonly names?: readonly string[];
  /** What the work is about, if it is not the name of a node. */
  readonly about?: string | undefined;
}

export async function readBrief(reader: Reader, { names = [], about }: BriefRequest): Promise<BriefFacts> {
  const projects = await findProjects(reader, names, about);
  const known = new Set(projects.map(({ id }) => id));
  return {
    pinned: await markedFacts(reader, briefMarks.pinned),
    projects: await Promise.all(projects.map((node) => describe(reader, node))),
    questions: await markedFacts(reader, briefMarks.question),
    recent: await recentChanges(reader, known),
  };
}

/** Commit by commit, since the touches of one commit may be very many. */
async function recentChanges(reader: Reader, known: ReadonlySet<NodeId>): Promise<ChangedNode[]> {
  const times = new Map<NodeId, number>();
  for (const { commit, time } of await reader.commits({ limit: most.commits })) {
    for (const id of await reader.nodesTouchedBy(commit, most.recent))
      if (!known.has(id) && !times.has(id)) times.set(id, time);
    // Some may be gone since.
    if (times.size >= 2 * most.recent) break;
  }
  const nodes = new Map((await reader.nodesById([...times.keys()])).map((node) => [node.id, node]));
  return [...times]
    .flatMap(([id, updatedAt]) => {
      const node = nodes.get(id);
      return node === undefined || node.stub ? [] : [{ name: node.name, type: node.type, updatedAt }];
    })
    .slice(0, most.recent);
}

async function markedFacts(reader: Reader, mark: string): Promise<NamedFact[]> {
  const { nodes: ids } = await reader.nodesContaining(mark, most.marked);
  const nodes = (await reader.nodesById(ids.slice(0, most.marked))).filter(({ stub }) => !stub);
  return (await withFacts(reader, nodes)).flatMap(({ node: { name }, facts }) =>
    facts.flatMap((fact) => {
      const text = withoutMark(fact, mark);
      return text === undefined || text === '' ? [] : [{ name, text }];
    }),
  );
}

/** By name, else by the words of what it is about. */
async function findProjects(
  reader: Reader,
  names: readonly string[],
  about: string | undefined,
): Promise<readonly Node[]> {
  const spellings = [...new Set([...names, about ?? ''].filter(Boolean))].flatMap(spellingsOf);
  const named = (await reader.nodesNamed(spellings)).filter(({ stub }) => !stub);
  const rank = ({ name }: Node) => spellings.indexOf(name);
  if (named.length > 0)
    return named.sort((a, b) => rank(a) - rank(b) || compareOrder(a.order, b.order)).slice(0, most.projects);
  if (about === undefined) return [];
  // Loaded on demand, to keep hooks fast.
  const { searchObservations } = await import('../search/search-ranked.js');
  const { hits } = await searchObservations(reader, about, { limit: most.projects, perNode: true });
  return hits.map(({ node }) => node);
}

/** Folders are mostly in lower case, names of nodes often are not. */
function spellingsOf(name: string): string[] {
  const lower = name.toLowerCase();
  return [name, lower, lower.charAt(0).toUpperCase() + lower.slice(1)];
}

async function describe(reader: Reader, node: Node): Promise<BriefProject> {
  const { id, name, type, summary } = node;
  const [known] = await withFacts(reader, [node]);
  const links = await reader.linksOf([id], { limit: most.neighbours });
  const ends = new Set(links.slice(0, most.neighbours).flatMap(({ from, to }) => [from, to]));
  const edges = ends.size === 0 ? [] : await reader.edgesBetween([...ends]);
  return {
    ...{ name, type, summary },
    facts: (known?.facts ?? []).filter(
      (fact) => !Object.values(briefMarks).some((mark) => withoutMark(fact, mark) !== undefined),
    ),
    relations: edges
      .filter(({ from, to }) => from === id || to === id)
      .map(({ fromName, type: relation, toName }) => ({ from: fromName, type: relation, to: toName })),
  };
}
