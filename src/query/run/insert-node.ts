import { Batch } from '../../ingest/batch.js';
import { writeNodes } from '../../ingest/write-nodes.js';
import { TrellisError } from '../../model/error.js';
import { nodeKeyText } from '../../schema/enforce/key-texts.js';
import type { InsertNode } from '../bound-mutation.js';
import type { Affected, Mutating } from './mutating.js';

/** Makes a node, or brings the one that has its key up to date. */
export async function insertNode(
  context: Mutating,
  statement: InsertNode,
  number: number,
): Promise<Affected> {
  const { rows, schema, ids } = context;
  const { type, props } = statement;
  const batch = new Batch({ schema, mode: 'merge', counts: 'Statement', ids, now: rows.now });
  batch.put({
    ...{ line: number, type, name: nameOf(context, statement), props },
    ...{ summary: undefined, tags: undefined, observations: undefined, provenance: undefined },
  });
  await writeNodes(rows, batch, 'merge');
  return { nodes: 1, edges: 0 };
}

function nameOf({ rows, schema, ids }: Mutating, { type, name, props }: InsertNode): string {
  if (name !== null) return name;
  const nodeType = schema?.nodes.get(type);
  if (nodeType === undefined || nodeType.key === null) return ids(rows.now);
  const { text, problem } = nodeKeyText(nodeType, props);
  if (text !== undefined) return text;
  throw new TrellisError('SCHEMA_VIOLATION', `${type} ${problem}`, {
    hint: `Nothing was written. Its key is ${nodeType.key.join(', ')}: give it.`,
  });
}
