import type { Reader } from '../../../store/reader.js';
import type { GraphDiff } from '../graph-diff.js';

/**
 * Names that nodes of different types will share. Each branch may have created one; both are kept, because type and
 * name identify a node. Tools that know nodes by name alone will then ask which one is meant, so the merge reports it.
 */
export async function sharedNames(target: Reader, { nodes }: GraphDiff): Promise<string[]> {
  const fresh = nodes.flatMap(({ before, after }) => (before === null && after !== null ? [after.node] : []));
  const gone = new Set(
    nodes.flatMap(({ before, after }) => (after === null && before !== null ? [before.node.id] : [])),
  );
  const there = await target.nodesNamed(fresh.map(({ name }) => name));
  const bearers = new Map<string, Set<number>>();
  for (const { id, name, stub } of [...there, ...fresh]) {
    if (stub || gone.has(id)) continue;
    bearers.set(name, (bearers.get(name) ?? new Set()).add(id));
  }
  return [...bearers].filter(([, ids]) => ids.size > 1).map(([name]) => name);
}
