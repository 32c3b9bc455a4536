import type { EdgeIdentity } from '../../model/edge.js';
import type { RowWriter } from '../../store/writer.js';

/** A stub goes with its last edge: removes the stubs that only these removed edges kept. */
export async function removeUnreferencedStubs(
  rows: RowWriter,
  removed: readonly EdgeIdentity[],
): Promise<void> {
  const ends = new Set(removed.flatMap((edge) => [edge.from, edge.to]));
  const stubs = (await rows.nodesById([...ends])).filter((node) => node.stub).map((node) => node.id);
  if (stubs.length === 0) return;
  const busy = new Set((await rows.edgesOf(stubs)).flatMap((edge) => [edge.from, edge.to]));
  await rows.removeNodes(stubs.filter((id) => !busy.has(id)));
}
