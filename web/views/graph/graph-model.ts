import Graph from 'graphology';
import type { NodeRef } from '../../api/types.js';
import { visibleText } from '../../parts/text.js';

/** The answer of the route `neighborhood`. */
export interface Neighborhood {
  readonly nodes: readonly (NodeRef & { readonly degree: number; readonly commit?: number })[];
  /** `from` and `to` are indexes into `nodes`. */
  readonly edges: readonly {
    readonly from: number;
    readonly to: number;
    readonly type: string;
    readonly key?: string;
    readonly commit?: number;
  }[];
  /** Nodes and edges refer to the one that changed them last. */
  readonly commits?: readonly { readonly actor_id: string; readonly at: string }[];
  readonly truncated: boolean;
}

/** The time is in milliseconds since 1970. */
export interface LastChange {
  readonly actor: string;
  readonly time: number;
}

export interface DrawnNode extends NodeRef {
  readonly degree: number;
  readonly label: string;
  readonly x: number;
  readonly y: number;
  readonly size: number;
  readonly lastChange?: LastChange | undefined;
}

export interface DrawnEdge {
  readonly relation: string;
  readonly lastChange?: LastChange | undefined;
}

export type DrawnGraph = Graph<DrawnNode, DrawnEdge>;

export const mostNodes = 5_000;
const labelLength = 40;

export function newDrawnGraph(): DrawnGraph {
  return new Graph<DrawnNode, DrawnEdge>({ multi: true, type: 'directed' });
}

export function keyOf({ type, name }: NodeRef): string {
  return JSON.stringify([type, name]);
}

/** Adds what is new, near the node that it was found from. */
export function addNeighborhood(graph: DrawnGraph, found: Neighborhood, near?: string): void {
  const { nodes, edges, commits = [] } = found;
  const changes = commits.map(({ actor_id, at }) => ({ actor: actor_id, time: Date.parse(at) }));
  const center = near !== undefined && graph.hasNode(near) ? graph.getNodeAttributes(near) : { x: 0, y: 0 };
  const spread = graph.order === 0 ? 100 : 20;
  for (const { name, type, degree, commit = -1 } of nodes) {
    const key = keyOf({ type, name });
    if (graph.hasNode(key) || graph.order >= mostNodes) continue;
    const angle = graph.order * 2.399963;
    const distance = spread * (0.3 + Math.sqrt(graph.order % 97) / 10);
    graph.addNode(key, {
      ...{ name, type, degree, size: 3 + 1.6 * Math.log2(degree + 1) },
      label: shortLabel(name),
      lastChange: changes[commit],
      x: center.x + Math.cos(angle) * distance,
      y: center.y + Math.sin(angle) * distance,
    });
  }
  for (const { from, to, type, key = '', commit = -1 } of edges) {
    const [source, target] = [nodes[from], nodes[to]];
    if (source === undefined || target === undefined) continue;
    const [start, end] = [keyOf(source), keyOf(target)];
    const id = JSON.stringify([start, type, end, key]);
    if (!graph.hasEdge(id) && graph.hasNode(start) && graph.hasNode(end)) {
      graph.addEdgeWithKey(id, start, end, { relation: type, lastChange: changes[commit] });
    }
  }
}

function shortLabel(name: string): string {
  const text = visibleText(name).replaceAll(/\s+/g, ' ');
  return text.length > labelLength ? `${text.slice(0, labelLength - 1)}…` : text;
}
