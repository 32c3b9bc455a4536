import type { Edge } from '../../model/edge.js';
import type { Node, NodeId } from '../../model/node.js';
import { compareText } from '../../model/order.js';
import type { Reader } from '../../store/reader.js';
import { requireNodes } from '../require-nodes.js';
import type { NodeName } from '../specs.js';
import { Frontier } from './frontier.js';

interface GraphPath {
  readonly nodes: readonly Node[];
  /** One per step, whichever way it points. */
  readonly edges: readonly Edge[];
}

/** The shortest path along edges in either direction, searched from both ends; of several, the first by names. */
export async function shortestPath(
  reader: Reader,
  from: NodeName,
  to: NodeName,
): Promise<GraphPath | undefined> {
  const start = new Frontier(reader, await requireNodes(reader, from));
  const goal = new Frontier(reader, await requireNodes(reader, to));
  for (;;) {
    const [side, other] = start.layer.length <= goal.layer.length ? [start, goal] : [goal, start];
    const met = side.layer.filter(({ id }) => other.depthOf(id) !== undefined);
    if (met.length > 0) {
      return pathThrough(
        reader,
        met.map(({ id }) => id),
        start,
        goal,
      );
    }
    if (side.layer.length === 0) return undefined;
    await side.advance();
  }
}

/** The first by name among the paths through the nodes where both searches met. */
async function pathThrough(
  reader: Reader,
  met: readonly NodeId[],
  start: Frontier,
  goal: Frontier,
): Promise<GraphPath> {
  const steps = [...stepsBack(met, start).reverse(), met, ...stepsBack(met, goal)];
  const next = successors(steps, start, goal);
  const nodes = new Map((await reader.nodesById(steps.flat())).map((node) => [node.id, node]));
  const path: Node[] = [];
  let choices: readonly NodeId[] = steps[0] ?? [];
  while (choices.length > 0) {
    const first = choices
      .flatMap((id) => nodes.get(id) ?? [])
      .reduce((best, node) => (precedes(node, best) ? node : best));
    path.push(first);
    choices = next.get(first.id) ?? [];
  }
  return { nodes: path, edges: await edgesAlong(reader, path) };
}

/** The nodes on shortest paths from the start of a search to where it met the other, last step first. */
function stepsBack(met: readonly NodeId[], frontier: Frontier): (readonly NodeId[])[] {
  const steps: (readonly NodeId[])[] = [];
  for (let at = parentsOf(met, frontier); at.length > 0; at = parentsOf(at, frontier)) steps.push(at);
  return steps;
}

function parentsOf(ids: readonly NodeId[], frontier: Frontier): NodeId[] {
  return [...new Set(ids.flatMap((id) => frontier.parentsOf(id)))];
}

function successors(
  steps: readonly (readonly NodeId[])[],
  start: Frontier,
  goal: Frontier,
): Map<NodeId, NodeId[]> {
  const next = new Map<NodeId, NodeId[]>();
  const join = (from: NodeId, to: NodeId) => {
    const known = next.get(from);
    if (known === undefined) next.set(from, [to]);
    else known.push(to);
  };
  const middle = start.depth;
  for (const [index, step] of steps.entries()) {
    for (const id of step) {
      if (index > 0 && index <= middle) for (const parent of start.parentsOf(id)) join(parent, id);
      if (index >= middle) for (const parent of goal.parentsOf(id)) join(id, parent);
    }
  }
  return next;
}

/** For each step, the edge in the direction of the path if there is one, first by type. */
async function edgesAlong(reader: Reader, path: readonly Node[]): Promise<Edge[]> {
  const edges = await reader.edgesBetween(path.map(({ id }) => id));
  return path.slice(1).flatMap((to, index) => {
    const from = path[index];
    const between = edges.filter(
      (edge) =>
        (edge.from === from?.id && edge.to === to.id) || (edge.from === to.id && edge.to === from?.id),
    );
    const forward = between.filter((edge) => edge.to === to.id);
    const [first] = (forward.length > 0 ? forward : between).sort((a, b) => compareText(a.type, b.type));
    return first ?? [];
  });
}

function precedes(a: Node, b: Node): boolean {
  return a.name === b.name ? a.id < b.id : a.name < b.name;
}
