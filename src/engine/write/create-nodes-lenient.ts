import { checkFact, checkName, checkShortText } from '../../model/text.js';
import type { Transaction } from '../graph.js';
import type { NodeSpec } from '../specs.js';
import { findNewNodes } from './find-new-nodes.js';

interface CreatedNodes {
  readonly created: readonly NodeSpec[];
  /** Names that existed, or were repeated within the batch. */
  readonly skipped: readonly string[];
}

/** Creates nodes whose names are new to the graph, and skips the others. */
export async function createNodesLenient(tx: Transaction, specs: readonly NodeSpec[]): Promise<CreatedNodes> {
  for (const spec of specs) checkSpec(spec);
  return await createNodesLenientUnchecked(tx, specs);
}

/** For nodes that the caller has validated. */
export async function createNodesLenientUnchecked(
  tx: Transaction,
  specs: readonly NodeSpec[],
): Promise<CreatedNodes> {
  const { fresh, repeated, put } = await findNewNodes(tx.rows, specs);
  if (fresh.length > 0) {
    tx.announce('createNodes', { nodes: fresh });
    await put();
  }
  return { created: fresh, skipped: repeated };
}

function checkSpec(spec: NodeSpec): void {
  checkName(spec.name, 'The name of a node');
  checkShortText(spec.type, `The type of ${JSON.stringify(spec.name)}`);
  for (const text of spec.observations) checkFact(text, `An observation of ${JSON.stringify(spec.name)}`);
}
