import { filterYielding } from '../../bounds/yielding-loops.js';
import { edgeKey } from '../../model/edge.js';
import { TrellisError } from '../../model/error.js';
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
  const rows = sortChanges(
    await filterYielding(
      touches.nodes.map((id) => ({ before: nodes[0]?.get(id) ?? null, after: nodes[1]?.get(id) ?? null })),
      (change) => !sameNode(change.before, change.after),
    ),
    await filterYielding(
      touches.edges
        .map(edgeKey)
        .map((key) => ({ before: edges[0]?.get(key) ?? null, after: edges[1]?.get(key) ?? null })),
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
      const touched = unionOfTouches(
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

function unionOfTouches(a: TouchedItems, b: TouchedItems): TouchedItems {
  const edges = new Map([...a.edges, ...b.edges].map((edge) => [edgeKey(edge), edge]));
  return { nodes: [...new Set([...a.nodes, ...b.nodes])], edges: [...edges.values()] };
}
