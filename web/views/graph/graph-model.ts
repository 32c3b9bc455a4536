import Graph from 'graphology';
import type { NodeRef } from '../../api/types.js';
import { visibleText } from '../../parts/text.js';

/** The answer of the route `neighborhood`. */
export interface Neighborhood {
  readonly nodes: readonly (NodeRef & { readonly degree: number })[];
  /** `from` and `to` are indexes into `nodes`. */
  readonly edges: readonly {
    readonly from: number;
    readonly to: number;
    readonly type: string;
    readonly key?: string;
  }[];
  readonly truncated: boolean;
}

export interface DrawnNode extends NodeRef {
  readonly degree: number;
  readonly label: string;
  readonly x: number;
  readonly y: number;
  readonly size: number;
}

export interface DrawnEdge {
  readonly relation: string;
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
export function addNeighborhood(graph: DrawnGraph, { nodes, edges }: Neighborhood, near?: string): void {
  const center = near !== undefined && graph.hasNode(near) ? graph.getNodeAttributes(near) : { x: 0, y: 0 };
  const spread = graph.order === 0 ? 100 : 20;
  for (const { name, type, degree } of nodes) {
    const key = keyOf({ type, name });
    if (graph.hasNode(key) || graph.order >= mostNodes) continue;
    const angle = graph.order * 2.399963;
    const distance = spread * (0.3 + Math.sqrt(graph.order % 97) / 10);
    graph.addNode(key, {
      ...{ name, type, degree, size: 3 + 1.6 * Math.log2(degree + 1) },
      label: shortLabel(name),
      x: center.x + Math.cos(angle) * distance,
      y: center.y + Math.sin(angle) * distance,
    });
  }
  for (const { from, to, type, key = '' } of edges) {
    const [source, target] = [nodes[from], nodes[to]];
    if (source === undefined || target === undefined) continue;
    const [start, end] = [keyOf(source), keyOf(target)];
    const id = JSON.stringify([start, type, end, key]);
    if (!graph.hasEdge(id) && graph.hasNode(start) && graph.hasNode(end)) {
      graph.addEdgeWithKey(id, start, end, { relation: type });
    }
  }
}

function shortLabel(name: string): string {
  const text = visibleText(name).replaceAll(/\s+/g, ' ');
  return text.length > labelLength ? `${text.slice(0, labelLength - 1)}…` : text;
}
