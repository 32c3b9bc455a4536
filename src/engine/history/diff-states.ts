import { filterYielding, forEachYielding, mapYielding } from '../../bounds/yielding-loops.js';
import { type EdgeIdentity, edgeKey } from '../../model/edge.js';
import { TrellisError } from '../../model/error.js';
import type { NodeId } from '../../model/node.js';
import type { ReadOptions } from '../../store/read-options.js';
import type { TouchedItems } from '../../store/read-results.js';
import type { Reader } from '../../store/reader.js';
import type { Store } from '../../store/store-contract.js';
import {
  type GraphDiff,
  readEdges,
  readNodeStates,
  sameEdge,
  sameNode,
  sortChanges,
  withSchemaChange,
} from './graph-diff.js';
import { resolveRef } from './resolve-ref.js';

export async function diffStates(before: Reader, after: Reader, touches: TouchedItems): Promise<GraphDiff> {
  const nodes = await Promise.all([before, after].map((reader) => readNodeStates(reader, touches.nodes)));
  const edges = await Promise.all([before, after].map((reader) => readEdges(reader, touches.edges)));
  const sidesOf = <K, T>(maps: readonly ReadonlyMap<K, T>[], key: K) => ({
    before: maps[0]?.get(key) ?? null,
    after: maps[1]?.get(key) ?? null,
  });
  const rows = await sortChanges(
    await filterYielding(
      await mapYielding(touches.nodes, (id) => sidesOf(nodes, id)),
      (change) => !sameNode(change.before, change.after),
    ),
    await filterYielding(
      await mapYielding(touches.edges, (edge) => sidesOf(edges, edgeKey(edge))),
      (change) => !sameEdge(change.before, change.after),
    ),
  );
  return withSchemaChange(rows, await before.schema(), await after.schema());
}

export interface DiffRequest {
  readonly graph: string;
  readonly from: string;
  readonly to: string;
  /** Other branches and their commits do not exist. */
  readonly mayRead?: ((branch: string) => boolean) | undefined;
  /** Refuses to compare states that differ in more. */
  readonly maxTouched?: number | undefined;
}

/** What turns `from` into `to`, each a branch or a commit. The cost depends only on the history they do not share. */
export async function diffRefs(
  store: Store,
  { graph, from, to, mayRead, maxTouched = Number.POSITIVE_INFINITY }: DiffRequest,
  options?: ReadOptions,
): Promise<GraphDiff> {
  const before = await resolveRef(store, graph, from, mayRead);
  const after = await resolveRef(store, graph, to, mayRead);
  return store.read(
    { graph },
    async (reader) => {
      const states = { before: await reader.at(before), after: await reader.at(after) };
      const touched = await unionOfTouches(
        await touchedSince(states.before, after),
        await touchedSince(states.after, before),
      );
      const count = touched.nodes.length + touched.edges.length;
      if (count > maxTouched) throw tooManyChanges('The difference', count);
      return diffStates(states.before, states.after, touched);
    },
    options,
  );
}

export function tooManyChanges(what: string, count: number): TrellisError {
  return new TrellisError('LIMIT_EXCEEDED', `${what} has ${count} changes, too many for one response.`, {
    hint: 'Use trellis show or trellis diff, or query the states before and after.',
    details: { changes: count },
  });
}

async function touchedSince(reader: Reader, commit: string | null): Promise<TouchedItems> {
  return commit === null ? { nodes: [], edges: [] } : (await reader.unseen(commit)).touched;
}

async function unionOfTouches(a: TouchedItems, b: TouchedItems): Promise<TouchedItems> {
  const edges = new Map<string, EdgeIdentity>();
  const nodes = new Set<NodeId>();
  for (const touched of [a, b]) {
    await forEachYielding(touched.edges, (edge) => edges.set(edgeKey(edge), edge));
    await forEachYielding(touched.nodes, (id) => nodes.add(id));
  }
  return { nodes: [...nodes], edges: [...edges.values()] };
}
