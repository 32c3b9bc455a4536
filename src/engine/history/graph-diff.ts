import { readInChunks } from '../../bounds/chunks.js';
import { forEachYielding, mapYielding, sortYielding } from '../../bounds/yielding-loops.js';
import { type Edge, type EdgeIdentity, edgeKey } from '../../model/edge.js';
import { equalJson } from '../../model/json.js';
import type { Node, NodeId, Observation } from '../../model/node.js';
import { compareOrder, type Order } from '../../model/order.js';
import type { RowReader } from '../../store/reader.js';

/** A real node with its observations by ordinal. */
export interface NodeState {
  readonly node: Node;
  readonly observations: readonly Observation[];
}

/** Null where it does not exist. Stubs count as missing: they come and go with their edges. */
export interface NodeChange {
  readonly before: NodeState | null;
  readonly after: NodeState | null;
}

export interface EdgeChange {
  readonly before: Edge | null;
  readonly after: Edge | null;
}

/** Null where there is none. */
export interface SchemaChange {
  readonly before: string | null;
  readonly after: string | null;
}

/** What turns one state of a graph into another, in creation order. Ignores times and the order itself. */
export interface GraphDiff {
  readonly nodes: readonly NodeChange[];
  readonly edges: readonly EdgeChange[];
  /** Left out if the schema is unchanged. */
  readonly schema?: SchemaChange;
}

export function isEmptyDiff({ nodes, edges, schema }: GraphDiff): boolean {
  return nodes.length + edges.length === 0 && schema === undefined;
}

export function withSchemaChange(diff: GraphDiff, before: string | null, after: string | null): GraphDiff {
  return before === after ? diff : { ...diff, schema: { before, after } };
}

export async function sortChanges(
  nodes: readonly NodeChange[],
  edges: readonly EdgeChange[],
): Promise<GraphDiff> {
  return {
    nodes: await sortByOrder(nodes, ({ before, after }) => (after ?? before)?.node.order),
    edges: await sortByOrder(edges, ({ before, after }) => (after ?? before)?.order),
  };
}

export function sameNode(a: NodeState | null, b: NodeState | null): boolean {
  if (a === b || a === null || b === null) return a === b;
  return equalJson(nodeContent(a.node), nodeContent(b.node)) && sameObservations(a, b);
}

/** Ignores observations. */
export function sameNodeRow(a: Node, b: Node): boolean {
  return equalJson(nodeContent(a), nodeContent(b));
}

export function sameObservation(a: Observation | undefined, b: Observation | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  return a.text === b.text && equalJson(a.provenance, b.provenance);
}

export function sameEdge(a: Edge | null, b: Edge | null): boolean {
  if (a === b || a === null || b === null) return a === b;
  return a.weight === b.weight && equalJson([a.props, a.provenance], [b.props, b.provenance]);
}

function nodeContent({ type, name, summary, tags, props, provenance }: Node): readonly unknown[] {
  return [type, name, summary, tags, props, provenance];
}

function sameObservations(a: NodeState, b: NodeState): boolean {
  if (a.observations.length !== b.observations.length) return false;
  return a.observations.every((observation, index) => {
    const other = b.observations[index];
    return observation.ordinal === other?.ordinal && sameObservation(observation, other);
  });
}

const firstOrder: Order = { seq: 0, position: 0 };

function sortByOrder<T>(
  changes: readonly T[],
  orderOf: (change: T) => Order | undefined,
): T[] | Promise<T[]> {
  return sortYielding(changes, (a, b) => compareOrder(orderOf(a) ?? firstOrder, orderOf(b) ?? firstOrder));
}

export async function readNodeStates(
  reader: RowReader,
  ids: readonly NodeId[],
): Promise<Map<NodeId, NodeState>> {
  const states = new Map<NodeId, NodeState>();
  const found = await readInChunks(ids, (some) => readSomeStates(reader, some));
  await forEachYielding(found, (state) => states.set(state.node.id, state));
  return states;
}

async function readSomeStates(reader: RowReader, ids: readonly NodeId[]): Promise<NodeState[]> {
  const nodes = (await reader.nodesById(ids)).filter((node) => !node.stub);
  const found = await reader.observationsOf(nodes.map(({ id }) => id));
  const observations = new Map<NodeId, Observation[]>();
  await forEachYielding(found, (observation) => {
    const known = observations.get(observation.node);
    if (known === undefined) observations.set(observation.node, [observation]);
    else known.push(observation);
  });
  return mapYielding(nodes, (node) => ({ node, observations: observations.get(node.id) ?? noObservations }));
}

const noObservations: readonly Observation[] = [];

export async function readEdges(
  reader: RowReader,
  identities: readonly EdgeIdentity[],
): Promise<Map<string, Edge>> {
  const edges = new Map<string, Edge>();
  const found = await readInChunks(identities, (some) => reader.edgesByIdentity(some));
  await forEachYielding(found, (edge) => edges.set(edgeKey(edge), edge));
  return edges;
}
