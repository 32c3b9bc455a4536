import type { Edge } from '../../model/edge.js';
import type { Reader } from '../../store/reader.js';
import { nodesCalled } from '../find-nodes.js';

/** The edges between two nodes, in both directions; of a node and itself, its edges to itself. */
export async function relationsBetween(reader: Reader, a: string, b: string): Promise<Edge[]> {
  const ofA = (await nodesCalled(reader, a)).map(({ id }) => id);
  const ofB = (await nodesCalled(reader, b)).map(({ id }) => id);
  const edges = await reader.edgesBetween([...new Set([...ofA, ...ofB])]);
  return edges.filter(
    ({ from, to }) => (ofA.includes(from) && ofB.includes(to)) || (ofB.includes(from) && ofA.includes(to)),
  );
}
