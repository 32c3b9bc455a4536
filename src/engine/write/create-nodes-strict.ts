import { TrellisError } from '../../model/error.js';
import { listNames, maxNamesListed } from '../../model/quoting.js';
import { checkFact, checkName } from '../../model/text.js';
import type { Transaction } from '../graph.js';
import type { NodeSpec } from '../specs.js';
import { findNewNodes } from './find-new-nodes.js';

/** All or none: an existing or repeated name refuses the batch. */
export async function createNodesStrict(
  tx: Transaction,
  specs: readonly NodeSpec[],
): Promise<readonly NodeSpec[]> {
  for (const spec of specs) checkSpec(spec);
  const { fresh, repeated, existing, put } = await findNewNodes(tx.rows, specs);
  if (repeated.length > 0) {
    const stored = repeated.filter((name) => existing.exists({ name }));
    throw nodesExist(repeated, stored.length < repeated.length);
  }
  if (fresh.length > 0) {
    tx.announce('createNodes', { nodes: fresh });
    await put();
  }
  return fresh;
}

function checkSpec(spec: NodeSpec): void {
  checkName(spec.name, 'The name of a node');
  checkName(spec.type, `The type of ${JSON.stringify(spec.name)}`);
  for (const text of spec.observations) checkFact(text, `An entry of ${JSON.stringify(spec.name)}`);
}

export function nodesExist(names: readonly string[], twice = false): TrellisError {
  return new TrellisError(
    'NODE_EXISTS',
    `Node already exists: ${listNames(names)}. Consider updating existing node.`,
    {
      hint: twice
        ? 'Nothing was added. List each name only once per call.'
        : 'Nothing was added. Update the node, or omit it and call again.',
      details: { names: names.slice(0, maxNamesListed) },
    },
  );
}
