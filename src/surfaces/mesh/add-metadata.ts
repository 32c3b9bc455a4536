import { z } from 'zod';
import { readNodesByName } from '../../engine/read/read-nodes-by-name.js';
import { addObservationsStrict } from '../../engine/write/add-observations-strict.js';
import { nodeNotFound } from '../../engine/write/nodes-by-name.js';
import { listNames } from '../../model/list-names.js';
import { adds } from '../annotations.js';
import { parseArguments } from '../arguments.js';
import { lazySchema } from '../json-schema.js';
import { typeInput } from '../type-inputs.js';
import { defineMeshTool } from './mesh-tool.js';
import { batch, graphData, metadata, nodeName, nodeWithFactsOf, nothing } from './shapes.js';

const input = z.object({
  nodeName,
  entityType: typeInput(),
  metadata: metadata('Entries to add, each "Key: Value"'),
});

/** What clients of the original server send. */
const original = z.object({
  metadata: batch(z.object({ nodeName, entityType: typeInput(), contents: metadata('') }), ''),
});

export const addMetadata = defineMeshTool({
  name: 'add_metadata',
  title: 'Add metadata',
  description:
    'Add metadata entries to an existing node; entries it has already are skipped. ' +
    'To replace an entry use update_nodes or the update_<type> tool of its kind; for a new node use add_nodes.',
  inputSchema: lazySchema(input, 'input'),
  parse(given) {
    if (isOriginalForm(given)) {
      const { metadata: items } = parseArguments(original, 'add_metadata', given);
      return items.map(({ nodeName, entityType, contents }) => ({
        ...{ name: nodeName, type: entityType, texts: contents },
      }));
    }
    const { nodeName, entityType, metadata: texts } = parseArguments(input, 'add_metadata', given);
    return [{ name: nodeName, type: entityType, texts }];
  },
  data: graphData,
  annotations: adds,
  action: 'change',
  dataWithoutRead: nothing,
  async run({ graph }, items) {
    const names = [...new Set(items.map((item) => item.name))];
    const { added, nodes } = await graph.write(async (tx) => ({
      added: await addObservationsStrict(tx, items, nodeNotFound),
      nodes: await readNodesByName(tx.rows, items),
    }));
    const [fresh, asked] = [added, items].map((list) =>
      list.reduce((sum, { texts }) => sum + texts.length, 0),
    );
    return {
      data: { nodes: nodes.map(nodeWithFactsOf), edges: [] },
      actionTaken: `Added metadata to: ${listNames(names)} (${fresh} of ${asked} entries new)`,
    };
  },
});

function isOriginalForm(given: unknown): boolean {
  return (
    typeof given === 'object' &&
    given !== null &&
    !('nodeName' in given) &&
    'metadata' in given &&
    Array.isArray(given.metadata) &&
    given.metadata.some((item) => typeof item === 'object')
  );
}
