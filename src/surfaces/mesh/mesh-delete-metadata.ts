import { z } from 'zod';
import type { NodeObservations } from '../../engine/write/add-observations-strict.js';
import { deleteObservations } from '../../engine/write/delete-observations.js';
import { nodeNotFound } from '../../engine/write/nodes-by-name.js';
import { isRecord } from '../../model/is-record.js';
import { listNames } from '../../model/quoting.js';
import { batchInput, typeInput } from '../common-shapes.js';
import { deletes } from '../tool-annotations.js';
import { parseArguments } from '../tool-arguments.js';
import { lazyJsonSchema } from '../tool-json-schema.js';
import { deletedData, metadataInput, nodeName } from './mesh-shapes.js';
import { defineMeshTool } from './mesh-tool.js';

const input = z.object({
  nodeName,
  entityType: typeInput(),
  metadata: metadataInput('The exact entries to delete'),
});

/** What clients of the original server send. */
const original = z.object({
  deletions: batchInput(z.object({ nodeName, entityType: typeInput(), metadata: metadataInput('') }), ''),
});

export const meshDeleteMetadata = defineMeshTool({
  name: 'delete_metadata',
  title: 'Delete metadata',
  description:
    'Delete metadata entries of a node, each by its exact text. Unknown entries are ignored and listed in not_found. ' +
    'To delete the node, use delete_nodes.',
  input: {
    schema: lazyJsonSchema(input, 'input'),
    parse(given) {
      const items =
        isRecord(given) && 'deletions' in given
          ? parseArguments(original, 'delete_metadata', given).deletions
          : [parseArguments(input, 'delete_metadata', given)];
      return items.map((item) => ({ name: item.nodeName, type: item.entityType, texts: item.metadata }));
    },
  },
  data: deletedData(z.object({ nodeName: z.string(), metadata: z.array(z.string()) })),
  annotations: deletes,
  action: 'change',
  async run({ graph }, items) {
    const outcome = await graph.write(async (tx) => {
      const deleted = await deleteObservations(tx, items);
      for (const name of deleted.nodesNotFound) nodeNotFound(name);
      return deleted;
    });
    const names = [...new Set(items.map((item) => item.name))];
    return {
      data: { deleted: entriesOf(outcome.items), not_found: entriesOf(missingEntries(items, outcome.items)) },
      actionTaken: `Deleted metadata from: ${listNames(names)} (${outcome.deleted} of ${outcome.asked} entries found)`,
    };
  },
});

function missingEntries(
  asked: readonly NodeObservations[],
  deleted: readonly NodeObservations[],
): NodeObservations[] {
  const keyOf = ({ name, type }: NodeObservations) => JSON.stringify([name, type]);
  const gone = new Map(deleted.map((item) => [keyOf(item), new Set(item.texts)]));
  return asked.map((item) => ({
    ...item,
    texts: [...new Set(item.texts)].filter((text) => gone.get(keyOf(item))?.has(text) !== true),
  }));
}

function entriesOf(items: readonly NodeObservations[]) {
  return items
    .filter(({ texts }) => texts.length > 0)
    .map(({ name, texts }) => ({ nodeName: name, metadata: [...texts] }));
}
