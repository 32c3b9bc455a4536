import { checkName } from '../../model/text.js';
import type { Transaction } from '../graph.js';
import type { EdgeSpec } from '../specs.js';
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
  const names = [...new Set(specs.flatMap(({ from, to }) => [from, to]))];
  const nodes = await NodesByName.of(tx.rows, names);
  const known = (name: string) => nodes.real(name) !== undefined;
  const { fresh, repeated } = await findNewEdges(
    tx.rows,
    specs.filter(({ from, to }) => known(from) && known(to)),
    nodes,
  );
  if (fresh.length > 0) {
    tx.announce('createEdges', { edges: fresh });
    await tx.rows.putEdges(fresh.map((spec) => edgeDraft(spec, nodes)));
  }
  return { created: fresh, existed: repeated, notFound: names.filter((name) => !known(name)) };
}
