import { IngestBatch } from '../../ingest/ingest-batch.js';
import { writeNodes } from '../../ingest/write-nodes.js';
import { TrellisError } from '../../model/error.js';
import { nodeKeyFromProps } from '../../schema/enforce/key-from-props.js';
import type { InsertNode } from '../bound-mutation.js';
import type { AffectedCounts, MutationContext } from './mutation-context.js';

/** Inserts a node, or updates the one with its key. */
export async function insertNode(
  context: MutationContext,
  statement: InsertNode,
  number: number,
): Promise<AffectedCounts> {
  const { rows, schema, ids } = context;
  const { type, props } = statement;
  const batch = new IngestBatch({ schema, mode: 'merge', lineLabel: 'Statement', ids, now: rows.now });
  batch.addResolved({
    ...{ line: number, type, name: nodeName(context, statement), props },
    ...{ summary: undefined, tags: undefined, observations: undefined, provenance: undefined },
  });
  await writeNodes(rows, batch, 'merge');
  return { nodes: 1, edges: 0 };
}

function nodeName({ rows, schema, ids }: MutationContext, { type, name, props }: InsertNode): string {
  if (name !== null) return name;
  const nodeType = schema?.nodes.get(type);
  if (nodeType === undefined || nodeType.key === null) return ids(rows.now);
  const { text, problem } = nodeKeyFromProps(nodeType, props);
  if (text !== undefined) return text;
  throw new TrellisError('SCHEMA_VIOLATION', `${type} ${problem}`, {
    hint: `Nothing was written. Set its key: ${nodeType.key.join(', ')}.`,
  });
}
