import { chunksOf } from '../../bounds/chunks.js';
import { forEachYielding } from '../../bounds/yielding-loops.js';
import type { NodeId } from '../../model/node.js';
import type { Violation } from '../../model/violation.js';
import type { RowReader } from '../../store/reader.js';
import type { EdgeType } from '../graph/graph-schema.js';
import { readEdgeEnds, type WrittenRows } from './written-rows.js';

/** Nodes that the write leaves with more or fewer edges of a type than the schema allows. */
export async function cardinalityViolations(rows: WrittenRows, reader: RowReader): Promise<Violation[]> {
  const violations: Violation[] = [];
  for (const type of rows.schema.edges.values()) {
    const { max } = type.cardinality;
    const min = rows.isComplete ? type.cardinality.min : 0;
    if (min === 0 && max === null) continue;
    for (const some of chunksOf([...(await affectedNodes(rows, type))])) {
      const ends = await readEdgeEnds(rows, reader, some);
      const counts = await reader.countEdgesFrom([...ends.keys()], type.name);
      for (const [id, node] of ends) {
        const count = counts.get(id) ?? 0;
        if (node.type !== type.from || (count >= min && (max === null || count <= max))) continue;
        violations.push(cardinalityViolation(type, node, count));
      }
    }
  }
  return violations;
}

/** Nodes that are new to the type, and those that gained or lost edges. */
async function affectedNodes(
  { nodes, edges, edgeSources }: WrittenRows,
  type: EdgeType,
): Promise<Set<NodeId>> {
  const ids = new Set<NodeId>(edgeSources.get(type.name));
  await forEachYielding(edges.values(), ({ draft }) => {
    if (draft.type === type.name) ids.add(draft.from);
  });
  if (type.cardinality.min === 0) return ids;
  await forEachYielding(nodes, ([id, { draft, old }]) => {
    if (draft.type === type.from && old?.type !== type.from) ids.add(id);
  });
  return ids;
}

function cardinalityViolation(
  { name, to, cardinality: { min, max } }: EdgeType,
  node: { readonly type: string; readonly name: string },
  count: number,
): Violation {
  const wanted =
    max === null
      ? `at least ${min}`
      : min === max
        ? `exactly ${min}`
        : min === 0
          ? `at most ${max}`
          : `${min} to ${max}`;
  return {
    ...{ kind: 'cardinality', node: { type: node.type, name: node.name } },
    message: `It would have ${count} ${name}; the schema wants ${wanted}.`,
    hint:
      count < min
        ? `Write it together with its ${name} to a ${to}, in one ingest or mutation.`
        : `Remove a ${name} of it first.`,
  };
}
