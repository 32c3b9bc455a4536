import type { EdgeIdentity } from '../../../model/edge.js';
import type { Branch } from '../../../model/graph-record.js';
import { type ChangedSince, headMoved } from '../../../model/head-moved.js';
import type { NodeId } from '../../../model/node.js';
import type { TouchedItems } from '../../read-results.js';
import { CommitLog } from '../commits/commit-log.js';
import { touchedSince } from '../commits/compare-history.js';
import type { SqlWriter } from './sql-writer.js';

/**
 * Refuses a write whose branch has moved on from the commit it names. The write is done first, and undone with the
 * transaction: only then is it known what it touches.
 */
export async function refuseMovedHead(
  writer: SqlWriter,
  branch: Branch,
  expected: string,
  work: (writer: SqlWriter) => Promise<unknown>,
): Promise<never> {
  const { executor, lineage } = writer;
  const head =
    branch.headCommit === null ? null : await new CommitLog(executor, lineage.graph).get(branch.headCommit);
  const since = await touchedSince(writer, expected);
  const moved = { branch: branch.name, expected, head };
  const isDone = since !== undefined && (await succeeds(() => work(writer)));
  throw headMoved(isDone ? { ...moved, changed: await sharedWith(writer, since) } : moved);
}

/** It may fail because of what changed, which is then the reason to report. */
async function succeeds(work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch {
    return false;
  }
}

/** Those of removed nodes too. */
async function namesOf(writer: SqlWriter, ids: readonly NodeId[]) {
  const there = await writer.nodesById(ids);
  const names = new Map<NodeId, { readonly type: string; readonly name: string }>(
    there.map((node) => [node.id, node]),
  );
  const gone = await writer.identitiesOf(ids.filter((id) => !names.has(id)));
  for (const { node, type, name } of gone) names.set(node, { type, name });
  return names;
}

async function sharedWith(writer: SqlWriter, since: TouchedItems): Promise<ChangedSince[]> {
  const { touched } = writer;
  const nodes = since.nodes.filter((id) => touched.nodes.has(id));
  const edges = since.edges.filter((edge) => touched.hasEdge(edge));
  const ids = new Set([...nodes, ...edges.flatMap(({ from, to }) => [from, to])]);
  const names = await namesOf(writer, [...ids]);
  const nameOf = (id: NodeId) => names.get(id)?.name ?? '';
  return [
    ...nodes.map((id): ChangedSince => {
      const { type = '', name = '' } = names.get(id) ?? {};
      return { kind: 'node', type, name };
    }),
    ...edges.map(
      ({ type, from, to, key }: EdgeIdentity): ChangedSince => ({
        ...{ kind: 'edge', type, from: nameOf(from), to: nameOf(to) },
        ...(key === '' ? {} : { key }),
      }),
    ),
  ];
}
