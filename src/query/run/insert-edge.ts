import { IngestBatch } from '../../ingest/ingest-batch.js';
import { writeEdges } from '../../ingest/write-edges.js';
import { NodeIds } from '../../ingest/write-nodes.js';
import { TrellisError } from '../../model/error.js';
import { edgeKeyFromProps } from '../../schema/enforce/key-from-props.js';
import { findEdgeType } from '../../schema/graph/graph-schema.js';
import type { InsertEdge } from '../bound-mutation.js';
import type { AffectedCounts, MutationContext } from './mutation-context.js';

/** Inserts an edge, or updates the existing one. */
export async function insertEdge(
  { rows, schema, ids }: MutationContext,
  { type, from, to, props }: InsertEdge,
  statement: number,
): Promise<AffectedCounts> {
  const edgeType = schema === null ? undefined : findEdgeType(schema, type);
  const ends = { from: { type: edgeType?.from, name: from }, to: { type: edgeType?.to, name: to } };
  const there = (await rows.nodesNamed([from, to])).filter(({ stub }) => !stub);
  for (const [which, end] of Object.entries(ends)) {
    const meant = there.filter((node) => node.name === end.name && node.type === (end.type ?? node.type));
    if (meant.length !== 1) throw endpointError(statement, which, end.type, end.name, meant.length);
  }
  const key = edgeType === undefined ? { text: '' } : edgeKeyFromProps(edgeType, props);
  if (key.problem !== undefined) {
    throw new TrellisError('SCHEMA_VIOLATION', `Statement ${statement}: ${type} ${key.problem}`, {
      hint: 'Nothing was written. Give the properties of its key.',
    });
  }
  const batch = new IngestBatch({ schema, mode: 'merge', lineLabel: 'Statement', ids, now: rows.now });
  batch.addResolved({
    line: statement,
    type,
    ...ends,
    key: key.text,
    weight: undefined,
    props,
    provenance: undefined,
  });
  await writeEdges(rows, batch, new NodeIds(), 'merge');
  return { nodes: 0, edges: 1 };
}

function endpointError(
  statement: number,
  which: string,
  type: string | undefined,
  name: string,
  count: number,
): TrellisError {
  const what = `${type ?? 'node'} ${JSON.stringify(name)}`;
  return count === 0
    ? new TrellisError('ENDPOINT_NOT_FOUND', `Statement ${statement}: there is no ${what} (${which}).`, {
        hint: 'Nothing was written. Insert it first, in a statement before this one; ids are compared exactly.',
        details: { statement, name },
      })
    : new TrellisError(
        'AMBIGUOUS_NAME',
        `Statement ${statement}: several nodes are named ${JSON.stringify(name)} (${which}).`,
        {
          hint: 'Nothing was written. Give the graph a schema, which says what type an edge leads to.',
          details: { statement, name },
        },
      );
}
