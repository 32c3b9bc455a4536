import { forEachYielding } from '../../bounds/yielding-loops.js';
import type { Author } from '../../model/commit.js';
import { edgeKey } from '../../model/edge.js';
import { mainBranch } from '../../model/graph-record.js';
import type { NodeId } from '../../model/node.js';
import type { WriteTarget } from '../../store/graph-targets.js';
import type { TouchedItems } from '../../store/read-results.js';
import type { Reader } from '../../store/reader.js';
import type { Store } from '../../store/store-contract.js';
import type { CommitOverrides, WriteResult } from '../../store/write-result.js';
import type { RowWriter, Writer } from '../../store/writer.js';
import { releaseWrites, stageWrites } from './apply-diff.js';
import { countWrites, type DiffWrites } from './plan-writes.js';
import { requireBranch } from './resolve-ref.js';

/** What a plan depends on: as long as others change none of it, the plan holds. */
export interface Footprint {
  readonly nodes: ReadonlySet<NodeId>;
  /** By their keys. */
  readonly edges: ReadonlySet<string>;
  /**
   * Nodes that some state lacks, that are renamed, or whose last edge may go: edges come and go with them, or name them, and
   * stubs go with edges.
   */
  readonly fragile: ReadonlySet<NodeId>;
  /** Names of new and renamed nodes and of the ends of changed edges: others may use them too. */
  readonly names: ReadonlySet<string>;
}

export async function joinFootprints(footprints: readonly Footprint[]): Promise<Footprint> {
  const [only, ...others] = footprints;
  if (only !== undefined && others.length === 0) return only;
  return {
    nodes: await unionOf(footprints.map(({ nodes }) => nodes)),
    edges: await unionOf(footprints.map(({ edges }) => edges)),
    fragile: await unionOf(footprints.map(({ fragile }) => fragile)),
    names: await unionOf(footprints.map(({ names }) => names)),
  };
}

async function unionOf<T>(sets: readonly ReadonlySet<T>[]): Promise<Set<T>> {
  const union = new Set<T>();
  for (const set of sets) await forEachYielding(set, (item) => union.add(item));
  return union;
}

interface Plan {
  readonly footprint: Footprint;
  readonly writes: readonly DiffWrites[];
  /** Whether it sets the graph schema. */
  readonly setsSchema: boolean;
}

export interface PreparedWrite<P extends Plan, T> {
  /** Runs on a snapshot; what it writes stays in memory. */
  plan(reader: Reader, writer: RowWriter): Promise<P>;
  apply(writer: Writer, plan: P): Promise<T>;
  /** The result if others have changed other things since the plan was made; default: the same. */
  moved?(result: T): T;
  /** Does both in the write. */
  run(writer: Writer): Promise<T>;
}

/** Then the plan is made in the write: whoever changes the same things all the time must not keep it from happening. */
const maxAttempts = 3;

/**
 * A write whose plan takes long: it is made on a snapshot, so that others need not wait for it, and applied if nobody has
 * changed what it depends on, and nothing was purged: a purge touches nothing, and the plan may hold its text.
 */
export async function writePrepared<P extends Plan, T>(
  store: Store,
  target: WriteTarget,
  author: Author,
  { plan, apply, moved = (result) => result, run }: PreparedWrite<P, T>,
  stamp?: CommitOverrides,
): Promise<WriteResult<T>> {
  const { graph, branch = mainBranch, ifCommit } = target;
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    // Read before the snapshot: what happens in between counts as changed since.
    const { headCommit, purges } = await requireBranch(store, graph, branch);
    // The write refuses this, and says why.
    if (ifCommit !== undefined && headCommit !== ifCommit) break;
    const planned = await store.rehearse(
      target,
      async (writer, reader) => ({
        plan: await plan(reader, writer),
        schema: await reader.schema(),
        graphId: reader.graphId,
      }),
      { length: 'short', actor: author.actor },
    );
    const writes = await stageWrites(store, target, planned.plan.writes);
    const check = async (writer: Writer): Promise<boolean> => {
      const since = await writer.touchedSince(headCommit);
      const holds =
        since !== undefined &&
        writer.graphId === planned.graphId &&
        writer.purges === purges &&
        (await writer.schema()) === planned.schema &&
        (await isUntouched(writer, planned.plan, since));
      if (!holds) throw new StalePlan();
      return since.nodes.length + since.edges.length > 0;
    };
    // A new schema locks all branches, and everything is validated against it.
    const rows = planned.plan.setsSchema ? 0 : sumOf(writes.map(countWrites));
    const staged = writes.flatMap(({ known }) => known.staged ?? []);
    const work = (writer: Writer) => apply(writer, { ...planned.plan, writes });
    try {
      const { result, isMoved, commit } = await store.writePlanned(
        { ...target, rows, staged },
        author,
        { check, work },
        stamp,
      );
      return { result: isMoved ? moved(result) : result, commit };
    } catch (error) {
      if (!(error instanceof StalePlan)) throw error;
    } finally {
      await releaseWrites(writes);
    }
  }
  return store.write(target, author, run, stamp);
}

class StalePlan extends Error {}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}

async function isUntouched(
  writer: Writer,
  { footprint: { nodes, edges, fragile, names }, writes }: Plan,
  touched: TouchedItems,
): Promise<boolean> {
  const claimed = new Set(writes.flatMap(({ claimedStubs }) => claimedStubs));
  const isFragile = (id: NodeId) => fragile.has(id) || claimed.has(id);
  if (touched.nodes.some((id) => nodes.has(id) || claimed.has(id))) return false;
  if (touched.edges.some((edge) => edges.has(edgeKey(edge)) || isFragile(edge.from) || isFragile(edge.to)))
    return false;
  if (names.size === 0 || touched.nodes.length === 0) return true;
  return !(await writer.identitiesOf(touched.nodes)).some(({ name }) => names.has(name));
}
