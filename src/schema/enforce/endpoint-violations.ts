import { forEachYielding } from '../../bounds/yielding-loops.js';
import { type Edge, edgeKey } from '../../model/edge.js';
import type { NodeId } from '../../model/node.js';
import type { Violation } from '../../model/violation.js';
import type { EdgeDraft } from '../../store/drafts.js';
import type { RowReader } from '../../store/writer.js';
import { findEdgeType, type GraphSchema } from '../graph/graph-schema.js';
import { chunks, type EdgeEnd, readEdgeEnds, type WrittenRows } from './written-rows.js';

/** Edges that join what the schema does not join: those put, and those of nodes that got another type. */
export async function endpointViolations(rows: WrittenRows, reader: RowReader): Promise<Violation[]> {
  const violations: Violation[] = [];
  const look = (edge: Edge | EdgeDraft, from: EdgeEnd | undefined, to: EdgeEnd | undefined) => {
    const wrong = endpointViolation(rows.schema, edge, from, to);
    if (wrong !== undefined) violations.push(wrong);
  };
  const edges = new Map<string, Edge | EdgeDraft>();
  await forEachYielding(rows.edges, ([key, { draft }]) => {
    const from = rows.nodes.get(draft.from)?.draft;
    const to = rows.nodes.get(draft.to)?.draft;
    // Both ends written with it: nothing to look up.
    if (from !== undefined && to !== undefined) look(draft, from, to);
    else edges.set(key, draft);
  });
  const retyped: NodeId[] = [];
  await forEachYielding(rows.nodes.values(), ({ draft, old }) => {
    if (old !== undefined && old.type !== draft.type) retyped.push(draft.id);
  });
  for (const some of chunks(retyped)) {
    for (const edge of await reader.edgesOf(some)) {
      const key = edgeKey(edge);
      if (!rows.edges.has(key)) edges.set(key, edge);
    }
  }
  for (const some of chunks(edges.values())) {
    const ends = await readEdgeEnds(
      rows,
      reader,
      some.flatMap(({ from, to }) => [from, to]),
    );
    for (const edge of some) look(edge, ends.get(edge.from), ends.get(edge.to));
  }
  return violations;
}

function endpointViolation(
  schema: GraphSchema,
  edge: Edge | EdgeDraft,
  from: EdgeEnd | undefined,
  to: EdgeEnd | undefined,
): Violation | undefined {
  const type = findEdgeType(schema, edge.type);
  if (type === undefined || (from?.type === type.from && to?.type === type.to)) return undefined;
  const is = `${from?.type ?? 'nothing'} -> ${to?.type ?? 'nothing'}`;
  return {
    ...{ kind: 'value', edge },
    message: `${type.name} leads from ${type.from} to ${type.to}, not ${is}.`,
    hint:
      from?.type === type.to && to?.type === type.from
        ? 'Turn it around: swap from and to.'
        : `Relate a ${type.from} with a ${type.to}.`,
  };
}
