import type { Edge } from '../../model/edge.js';
import type { Node } from '../../model/node.js';

/** A node with its observations; a stub has none. */
export type DrawnNode = Pick<Node, 'type' | 'name' | 'summary' | 'tags' | 'props'> & {
  readonly observations: readonly string[];
};
export type DrawnEdge = Pick<Edge, 'type' | 'key' | 'weight' | 'props'>;

/** A text format for other programs. Ids are the numbers of the nodes in the export. */
export interface DrawingFormat {
  readonly head: string;
  node(id: number, node: DrawnNode): string;
  edge(from: number, to: number, edge: DrawnEdge): string;
  readonly tail: string;
}
