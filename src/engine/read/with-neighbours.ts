import type { Edge } from '../../model/edge.js';
import type { NodeId } from '../../model/node.js';
import type { Reader } from '../../store/reader.js';
import type { Subgraph } from '../specs.js';
import { withFacts } from './facts.js';

export interface MatchedSubgraph extends Subgraph {
  readonly matches: number;
}

/**
 * Appends the neighbours of the nodes, in creation order. Keeps edges that touch a match and have both ends among the
 * nodes.
 */
export async function withNeighbours(reader: Reader, subgraph: Subgraph): Promise<MatchedSubgraph> {
  const matches = new Set(subgraph.nodes.map(({ node }) => node.id));
  const others = new Set(subgraph.edges.flatMap(endsOf).filter((id) => !matches.has(id)));
  const neighbours = (await reader.nodesById([...others])).filter((node) => !node.stub);
  const shown = new Set([...matches, ...neighbours.map(({ id }) => id)]);
  return {
    ...subgraph,
    nodes: [...subgraph.nodes, ...(await withFacts(reader, neighbours))],
    edges: subgraph.edges.filter((edge) => endsOf(edge).every((end) => shown.has(end))),
    matches: matches.size,
  };
}

export function withoutNeighbours(subgraph: Subgraph): MatchedSubgraph {
  return { ...subgraph, matches: subgraph.nodes.length };
}

function endsOf({ from, to }: Edge): readonly NodeId[] {
  return [from, to];
}
