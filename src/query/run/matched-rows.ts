import { type Edge, edgeKey } from '../../model/edge.js';
import type { Json, Props } from '../../model/json.js';
import { queryLimits } from '../../model/limits.js';
import type { Node, NodeId } from '../../model/node.js';
import { edgeKeyOf } from '../../schema/pg/check-edge.js';
import { edgeTypeOf } from '../../schema/pg/edge-type-of.js';
import type { Column, Expression } from '../../store/row-query.js';
import { portionsOf } from '../../transfer/portions.js';
import type { DeleteRows, UpdateRows } from '../bound-mutation.js';
import type { Mutating } from './mutating.js';

type Change = UpdateRows | DeleteRows;

/** The nodes that a change is about. */
export async function matchedNodes({ rows }: Mutating, change: Change): Promise<Node[]> {
  const ids = await cells(rows, change, [column('id', rowOf(change.variable, 'node', 'id'))]);
  const names = new Set(ids.map(([id]) => String(id)));
  const found: Node[] = [];
  for (const some of portionsOf([...names])) {
    for (const node of await rows.nodesNamed(some)) {
      if (!node.stub && node.type === change.type && names.has(node.name)) found.push(node);
    }
  }
  return found;
}

/** The edges that a change is about. */
export async function matchedEdges({ rows, schema }: Mutating, change: Change): Promise<Edge[]> {
  const type = schema === null ? undefined : edgeTypeOf(schema, change.type);
  const found = await cells(rows, change, [
    column('from', rowOf(change.variable, 'edge', 'from')),
    column('to', rowOf(change.variable, 'edge', 'to')),
    column('edge', { kind: 'edge', variable: change.variable, hidden: [] }),
  ]);
  const edges = new Map<string, Edge>();
  for (const some of portionsOf(found)) {
    const names = new Set(some.flatMap(([from, to]) => [String(from), String(to)]));
    const nodes = await rows.nodesNamed([...names]);
    const idsOf = (name: Json | undefined, wanted: string | undefined): NodeId[] =>
      nodes.filter((node) => node.name === name && node.type === (wanted ?? node.type)).map(({ id }) => id);
    const identities = some.flatMap(([from, to, edge]) =>
      idsOf(from, type?.from).flatMap((fromId) =>
        idsOf(to, type?.to).map((toId) => ({
          ...{ from: fromId, to: toId, type: change.type },
          key: type === undefined ? '' : edgeKeyOf(type, propsOf(edge)),
        })),
      ),
    );
    for (const edge of await rows.edgesByIdentity(identities)) edges.set(edgeKey(edge), edge);
  }
  return [...edges.values()];
}

async function cells(
  rows: Mutating['rows'],
  { match }: Change,
  columns: readonly Column[],
): Promise<readonly (readonly Json[])[]> {
  const query = { match, columns, grouped: false, order: [], limit: null };
  return (await rows.query(query, { maxRows: queryLimits.mostRows, maxLength: Number.POSITIVE_INFINITY }))
    .rows;
}

function column(name: string, expression: Expression): Column {
  return { name, expression };
}

function rowOf(variable: string, of: 'node' | 'edge', property: string): Expression {
  const type = { kind: 'scalar', scalar: 'String', nullable: false } as const;
  return { kind: 'property', variable, of, property, place: 'row', type };
}

function propsOf(edge: Json | undefined): Props {
  return typeof edge === 'object' && edge !== null && !Array.isArray(edge) ? (edge as Props) : {};
}
