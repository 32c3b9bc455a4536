import { z } from 'zod';
import { readNodesByName } from '../../engine/read/open-nodes.js';
import { addObservationsStrict } from '../../engine/write/add-observations-strict.js';
import { nodeNotFound } from '../../engine/write/nodes-by-name.js';
import { isRecord } from '../../model/is-record.js';
import { listNames } from '../../model/quoting.js';
import { batchInput, typeInput } from '../common-shapes.js';
import { adds } from '../tool-annotations.js';
import { parseArguments } from '../tool-arguments.js';
import { lazyJsonSchema } from '../tool-json-schema.js';
import { emptyGraphData, graphData, metadataInput, nodeName, nodeWithFactsToMesh } from './mesh-shapes.js';
import { defineMeshTool } from './mesh-tool.js';

const input = z.object({
  nodeName,
  entityType: typeInput(),
  metadata: metadataInput('Entries to add, each "Key: Value"'),
});

/** What clients of the original server send. */
const original = z.object({
  metadata: batchInput(z.object({ nodeName, entityType: typeInput(), contents: metadataInput('') }), ''),
});

export const meshAddMetadata = defineMeshTool({
  name: 'add_metadata',
  title: 'Add metadata',
  description:
    'Add metadata entries to an existing node; existing entries are skipped. ' +
    'To replace an entry, use update_nodes or the update_<type> tool of its type; for a new node, use add_nodes.',
  input: {
    schema: lazyJsonSchema(input, 'input'),
    parse(given) {
      if (isOriginalForm(given)) {
        const { metadata: items } = parseArguments(original, 'add_metadata', given);
        return items.map((item) => ({ name: item.nodeName, type: item.entityType, texts: item.contents }));
      }
      const { nodeName, entityType, metadata: texts } = parseArguments(input, 'add_metadata', given);
      return [{ name: nodeName, type: entityType, texts }];
    },
  },
  data: graphData,
  annotations: adds,
  action: 'change',
  dataWithoutRead: emptyGraphData,
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
      data: { nodes: nodes.map(nodeWithFactsToMesh), edges: [] },
      actionTaken: `Added metadata to: ${listNames(names)} (${fresh} of ${asked} entries new)`,
    };
  },
});

function isOriginalForm(given: unknown): boolean {
  if (!isRecord(given) || 'nodeName' in given) return false;
  const { metadata } = given;
  return Array.isArray(metadata) && metadata.some((item) => typeof item === 'object');
}
