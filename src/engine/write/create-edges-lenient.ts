import { checkName } from '../../model/text.js';
import type { Transaction } from '../graph.js';
import { type EdgeSpec, edgeEnds, type NodeName } from '../specs.js';
import { edgeDraft, findNewEdges } from './find-new-edges.js';
import { NodesByName } from './nodes-by-name.js';

interface CreatedEdges {
  readonly created: readonly EdgeSpec[];
  /** Including repetitions within the batch. */
  readonly existed: readonly EdgeSpec[];
  /** Edges that name one of these are skipped. */
  readonly notFound: readonly string[];
}

/** Creates edges between existing nodes; reports unknown ends instead of creating stubs. */
export async function createEdgesLenient(tx: Transaction, specs: readonly EdgeSpec[]): Promise<CreatedEdges> {
  for (const { type } of specs) checkName(type, 'The type of a relation');
  const named = specs.flatMap((spec) => Object.values(edgeEnds(spec)));
  const nodes = await NodesByName.load(tx.rows, named);
  const known = (end: NodeName) => nodes.real(end) !== undefined;
  const { fresh, repeated } = await findNewEdges(
    tx.rows,
    specs.filter((spec) => Object.values(edgeEnds(spec)).every(known)),
    nodes,
  );
  if (fresh.length > 0) {
    tx.announce('createEdges', { edges: fresh });
    await tx.rows.putEdges(fresh.map((spec) => edgeDraft(spec, nodes)));
  }
  const notFound = [...new Set(named.filter((end) => !known(end)).map(({ name }) => name))];
  return { created: fresh, existed: repeated, notFound };
}
