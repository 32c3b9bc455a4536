import { chunksOf } from '../../bounds/chunks.js';
import type { Edge } from '../../model/edge.js';
import { TrellisError } from '../../model/error.js';
import type { Json } from '../../model/json.js';
import { queryLimits } from '../../model/limits.js';
import type { Node, NodeId } from '../../model/node.js';
import { findEdgeType } from '../../schema/graph/graph-schema.js';
import type { RowQueryColumn, RowQueryExpression } from '../../store/row-query.js';
import type { DeleteRows, UpdateRows } from '../bound-mutation.js';
import type { MutationContext } from './mutation-context.js';

type RowChange = UpdateRows | DeleteRows;

export async function matchedNodes({ rows }: MutationContext, change: RowChange): Promise<Node[]> {
  const ids = await queryCells(rows, change, [column('id', rowExpression(change.variable, 'node', 'id'))]);
  const names = new Set(ids.map(([id]) => String(id)));
  const found: Node[] = [];
  for (const some of chunksOf([...names])) {
    for (const node of await rows.nodesNamed(some)) {
      if (!node.stub && node.type === change.type && names.has(node.name)) found.push(node);
    }
  }
  return found;
}

export async function matchedEdges({ rows, schema }: MutationContext, change: RowChange): Promise<Edge[]> {
  const type = schema === null ? undefined : findEdgeType(schema, change.type);
  const found = await queryCells(
    rows,
    change,
    ['from', 'to', 'key'].map((property) =>
      column(property, rowExpression(change.variable, 'edge', property)),
    ),
  );
  const edges: Edge[] = [];
  for (const some of chunksOf([...groupAlike(found)])) {
    const names = new Set(some.flatMap(([, { from, to }]) => [from, to]));
    const nodes = await rows.nodesNamed([...names]);
    const idsOf = (name: string, wanted: string | undefined): NodeId[] =>
      nodes.filter((node) => node.name === name && node.type === (wanted ?? node.type)).map(({ id }) => id);
    const identities = some.flatMap(([, { from, to, key }]) =>
      idsOf(from, type?.from).flatMap((fromId) =>
        idsOf(to, type?.to).map((toId) => ({ from: fromId, to: toId, type: change.type, key })),
      ),
    );
    const there = await rows.edgesByIdentity(identities);
    const counts = groupAlike(there.map(({ fromName, toName, key }) => [fromName, toName, key]));
    for (const [key, { from, to, count }] of some)
      if (counts.get(key)?.count !== count) throw ambiguousEdgesError(change.type, from, to);
    edges.push(...there);
  }
  return edges;
}

/** Edges with the same key between nodes of the same names, and how many there are. */
interface AlikeEdges {
  readonly from: string;
  readonly to: string;
  readonly key: string;
  readonly count: number;
}

function groupAlike(found: readonly (readonly Json[])[]): Map<string, AlikeEdges> {
  const groups = new Map<string, AlikeEdges>();
  for (const cell of found) {
    const group = JSON.stringify(cell);
    const [from, to, key] = cell.map(String);
    if (from === undefined || to === undefined || key === undefined) continue;
    groups.set(group, { from, to, key, count: (groups.get(group)?.count ?? 0) + 1 });
  }
  return groups;
}

/** Only some of the edges between nodes with shared names match, and names cannot tell which. */
function ambiguousEdgesError(type: string, from: string, to: string): TrellisError {
  return new TrellisError(
    'AMBIGUOUS_NAME',
    `Several nodes are named ${JSON.stringify(from)} or ${JSON.stringify(to)}, and not all ${type} between them match.`,
    {
      hint: 'Nothing was written. Rename one of the nodes, or give the graph a schema, which says what type an edge leads to.',
      details: { from, to },
    },
  );
}

async function queryCells(
  rows: MutationContext['rows'],
  { match }: RowChange,
  columns: readonly RowQueryColumn[],
): Promise<readonly (readonly Json[])[]> {
  const query = { match, columns, grouped: false, order: [], limit: null };
  return (await rows.query(query, { maxRows: queryLimits.maxRows, maxLength: Number.POSITIVE_INFINITY }))
    .rows;
}

function column(name: string, expression: RowQueryExpression): RowQueryColumn {
  return { name, expression };
}

function rowExpression(variable: string, of: 'node' | 'edge', property: string): RowQueryExpression {
  const type = { kind: 'scalar', scalar: 'String', nullable: false } as const;
  return { kind: 'property', variable, of, property, place: 'row', type };
}
