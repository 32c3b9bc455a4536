import { TrellisError } from '../../model/error.js';
import { listNames, maxNamesListed } from '../../model/quoting.js';
import { checkName } from '../../model/text.js';
import type { Transaction } from '../graph.js';
import { type EdgeSpec, edgeEnds } from '../specs.js';
import { edgeDraft, findNewEdges, formatEdge } from './find-new-edges.js';
import { NodesByName } from './nodes-by-name.js';

/** All or none: an existing or repeated edge refuses the batch. */
export async function createEdgesStrict(
  tx: Transaction,
  specs: readonly EdgeSpec[],
): Promise<readonly EdgeSpec[]> {
  for (const spec of specs) checkSpec(spec);
  const ends = await NodesByName.loadEnds(tx.rows, specs);
  for (const spec of specs) for (const end of Object.values(edgeEnds(spec))) ends.require(end);
  const { fresh, repeated } = await findNewEdges(tx.rows, specs, ends);
  if (repeated.length > 0) throw edgesExist(repeated);
  if (fresh.length > 0) {
    tx.announce('createEdges', { edges: fresh });
    await tx.rows.putEdges(fresh.map((spec) => edgeDraft(spec, ends)));
  }
  return fresh;
}

function checkSpec({ from, to, type, weight }: EdgeSpec): void {
  checkName(from, 'The from of an edge');
  checkName(to, 'The to of an edge');
  checkName(type, 'The type of an edge');
  if (weight !== undefined) checkWeight(weight);
}

export function edgesExist(edges: readonly EdgeSpec[]): TrellisError {
  return new TrellisError('EDGE_EXISTS', `Edge already exists: ${listNames(edges.map(formatEdge))}`, {
    hint: 'Nothing was done. Update the edge, or omit it and call again.',
    details: { edges: edges.slice(0, maxNamesListed).map(({ from, to, type }) => ({ from, to, type })) },
  });
}

export function checkWeight(weight: number): number {
  if (weight >= 0 && weight <= 1) return weight;
  throw new TrellisError('INVALID_ARGUMENT', 'Edge weight must be between 0 and 1', {
    hint: 'Nothing was done. Use a weight from 0 to 1, or omit it.',
    details: { weight: String(weight) },
  });
}
