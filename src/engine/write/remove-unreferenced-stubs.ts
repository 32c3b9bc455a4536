import { iterateChunks } from '../../bounds/chunks.js';
import { flatMapYielding, forEachYielding } from '../../bounds/yielding-loops.js';
import type { EdgeIdentity } from '../../model/edge.js';
import type { NodeId } from '../../model/node.js';
import type { RowReader } from '../../store/reader.js';
import type { RowWriter } from '../../store/writer.js';

/** A stub goes with its last edge: removes the stubs that only these removed edges kept. */
export async function removeUnreferencedStubs(
  rows: RowWriter,
  removed: readonly EdgeIdentity[],
): Promise<void> {
  const ends = new Set<NodeId>();
  await forEachYielding(removed, ({ from, to }) => ends.add(from).add(to));
  await removeStubsAmong(rows, ends);
}

/** Of these nodes, removes the stubs that have no edges any more. */
export async function removeStubsAmong(rows: RowWriter, ids: Iterable<NodeId>): Promise<void> {
  for (const some of iterateChunks(ids))
    await removeStubsWithoutEdges(rows, await stubsAmong(rows, new Set(some)));
}

export async function stubsAmong(rows: RowReader, ids: ReadonlySet<NodeId>): Promise<NodeId[]> {
  return flatMapYielding(await rows.nodesById([...ids]), ({ id, stub }) => (stub ? [id] : []));
}

export async function removeStubsWithoutEdges(rows: RowWriter, stubs: readonly NodeId[]): Promise<void> {
  if (stubs.length === 0) return;
  const busy = new Set((await rows.edgesOf(stubs)).flatMap((edge) => [edge.from, edge.to]));
  await rows.removeNodes(stubs.filter((id) => !busy.has(id)));
}
