import { z } from 'zod';
import type { NodeObservations } from '../../engine/write/add-observations-strict.js';
import { deleteObservations } from '../../engine/write/delete-observations.js';
import { nodeNotFound } from '../../engine/write/nodes-by-name.js';
import { listNames } from '../../model/list-names.js';
import { deletes } from '../annotations.js';
import { parseArguments } from '../arguments.js';
import { lazySchema } from '../json-schema.js';
import { typeInput } from '../type-inputs.js';
import { defineMeshTool } from './mesh-tool.js';
import { batch, deletedData, metadata, nodeName } from './shapes.js';

const input = z.object({
  nodeName,
  entityType: typeInput(),
  metadata: metadata('The exact entries to delete'),
});

/** What clients of the original server send. */
const original = z.object({
  deletions: batch(z.object({ nodeName, entityType: typeInput(), metadata: metadata('') }), ''),
});

export const deleteMetadata = defineMeshTool({
  name: 'delete_metadata',
  title: 'Delete metadata',
  description:
    'Delete metadata entries of a node, each by its exact text. Entries it does not have are no error; not_found lists them. ' +
    'To delete the node use delete_nodes.',
  inputSchema: lazySchema(input, 'input'),
  parse(given) {
    const items =
      typeof given === 'object' && given !== null && 'deletions' in given
        ? parseArguments(original, 'delete_metadata', given).deletions
        : [parseArguments(input, 'delete_metadata', given)];
    return items.map((item) => ({ name: item.nodeName, type: item.entityType, texts: item.metadata }));
  },
  data: deletedData(z.object({ nodeName: z.string(), metadata: z.array(z.string()) })),
  annotations: deletes,
  action: 'change',
  async run({ graph }, items) {
    const {
      items: deleted,
      asked,
      deleted: count,
    } = await graph.write(async (tx) => {
      const outcome = await deleteObservations(tx, items);
      for (const name of outcome.nodesNotFound) nodeNotFound(name);
      return outcome;
    });
    const names = [...new Set(items.map((item) => item.name))];
    return {
      data: { deleted: entriesOf(deleted), not_found: entriesOf(missing(items, deleted)) },
      actionTaken: `Deleted metadata from: ${listNames(names)} (${count} of ${asked} entries found)`,
    };
  },
});

function missing(
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
