import { chunksOf } from '../../bounds/chunks.js';
import { forEachYielding } from '../../bounds/yielding-loops.js';
import { type Edge, edgeKey } from '../../model/edge.js';
import type { NodeId } from '../../model/node.js';
import type { Violation } from '../../model/violation.js';
import type { EdgeDraft } from '../../store/drafts.js';
import type { RowReader } from '../../store/reader.js';
import { findEdgeType, type GraphSchema } from '../graph/graph-schema.js';
import type { SettledNode } from './settled-nodes.js';
import { readEdgeEnds, type WrittenRows } from './written-rows.js';

/** Edges between types that the schema does not allow: those written, and those of retyped nodes. */
export async function endpointViolations(rows: WrittenRows, reader: RowReader): Promise<Violation[]> {
  const violations: Violation[] = [];
  const check = (edge: Edge | EdgeDraft, from: SettledNode | undefined, to: SettledNode | undefined) => {
    const violation = endpointViolation(rows.schema, edge, from, to);
    if (violation !== undefined) violations.push(violation);
  };
  const edges = new Map<string, Edge | EdgeDraft>();
  await forEachYielding(rows.edges, ([key, { draft }]) => {
    const from = rows.nodes.get(draft.from)?.draft ?? rows.settled.get(draft.from);
    const to = rows.nodes.get(draft.to)?.draft ?? rows.settled.get(draft.to);
    // Both ends are written too: no lookup needed.
    if (from !== undefined && to !== undefined) check(draft, from, to);
    else edges.set(key, draft);
  });
  const retyped: NodeId[] = [];
  await forEachYielding(rows.nodes.values(), ({ draft, old }) => {
    if (old !== undefined && old.type !== draft.type) retyped.push(draft.id);
  });
  for (const some of chunksOf(retyped)) {
    for (const edge of await reader.edgesOf(some)) {
      const key = edgeKey(edge);
      if (!rows.edges.has(key)) edges.set(key, edge);
    }
  }
  for (const some of chunksOf([...edges.values()])) {
    const ends = await readEdgeEnds(
      rows,
      reader,
      some.flatMap(({ from, to }) => [from, to]),
    );
    for (const edge of some) check(edge, ends.get(edge.from), ends.get(edge.to));
  }
  return violations;
}

function endpointViolation(
  schema: GraphSchema,
  edge: Edge | EdgeDraft,
  from: SettledNode | undefined,
  to: SettledNode | undefined,
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

/** A graph with a schema has no stubs: edges to missing nodes are refused. */
export async function missingEndpointViolations({ nodes, edges }: WrittenRows): Promise<Violation[]> {
  const stubs = new Map<NodeId, string>();
  await forEachYielding(nodes, ([id, { draft }]) => {
    if (draft.stub === true) stubs.set(id, draft.name);
  });
  if (stubs.size === 0) return [];
  const violations: Violation[] = [];
  const named = new Set<number>();
  await forEachYielding(edges.values(), ({ draft }) => {
    for (const end of [draft.from, draft.to]) {
      const name = stubs.get(end);
      if (name === undefined) continue;
      named.add(end);
      violations.push({
        ...{ kind: 'value', edge: draft },
        message: `There is no node named ${JSON.stringify(name)}.`,
        hint: `Create ${JSON.stringify(name)} first, then relate it.`,
      });
    }
  });
  for (const [id, name] of stubs) {
    if (named.has(id)) continue;
    violations.push({
      ...{ kind: 'value', node: { type: '', name } },
      message: 'Relations lead to it, and it would not be there.',
      hint: 'Remove those relations too, or keep the node.',
    });
  }
  return violations;
}
