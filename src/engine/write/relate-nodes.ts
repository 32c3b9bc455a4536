import { checkName } from '../../model/text.js';
import type { Transaction } from '../graph.js';
import { type EdgeSpec, endsOf, type NodeName } from '../specs.js';
import { NodesByName } from './find-node.js';
import { edgeDraft, findNewEdges } from './new-edges.js';

export interface RelatedNodes {
  readonly created: readonly EdgeSpec[];
  /** Those that were there already, or came earlier in the batch. */
  readonly existed: readonly EdgeSpec[];
  /** Names that no node has; what names one of them was passed over. */
  readonly notFound: readonly string[];
}

/** Creates the edges between nodes that exist; unknown ends are said, and never become stubs. */
export async function relateNodes(tx: Transaction, specs: readonly EdgeSpec[]): Promise<RelatedNodes> {
  for (const { type } of specs) checkName(type, 'The type of a relation');
  const named = specs.flatMap((spec) => Object.values(endsOf(spec)));
  const nodes = await NodesByName.of(
    tx.rows,
    named.map(({ name }) => name),
  );
  const known = (end: NodeName) => nodes.real(end) !== undefined;
  const { fresh, repeated } = await findNewEdges(
    tx.rows,
    specs.filter((spec) => Object.values(endsOf(spec)).every(known)),
    nodes,
  );
  if (fresh.length > 0) {
    tx.announce('createEdges', { edges: fresh });
    await tx.rows.putEdges(fresh.map((spec) => edgeDraft(spec, nodes)));
  }
  const notFound = [...new Set(named.filter((end) => !known(end)).map(({ name }) => name))];
  return { created: fresh, existed: repeated, notFound };
}
