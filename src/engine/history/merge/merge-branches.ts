import type { Author, Commit } from '../../../model/commit.js';
import { TrellisError } from '../../../model/error.js';
import { mainBranch } from '../../../model/graph-record.js';
import { limits } from '../../../model/limits.js';
import { isRegistryNode, registryProtected } from '../../../model/registry-node.js';
import type { RegistryAccess } from '../../../store/graph-targets.js';
import type { ReadOptions } from '../../../store/read-options.js';
import type { DerivedProperty } from '../../../store/read-results.js';
import type { Reader } from '../../../store/reader.js';
import type { Store } from '../../../store/store-contract.js';
import type { RowWriter } from '../../../store/writer.js';
import { applyDiff } from '../apply-diff.js';
import { type GraphDiff, withSchemaChange } from '../graph-diff.js';
import { requireBranch } from '../resolve-ref.js';
import {
  type Conflict,
  conflictFromViolation,
  MergeConflictError,
  type Resolution,
  type ResolutionSide,
  type Sides,
} from './conflict.js';
import { ConflictResolver } from './conflict-resolver.js';
import { rejectUnusedResolutions } from './reject-unused-resolutions.js';
import { sharedNames } from './shared-names.js';
import { type ThreeWayMergeResult, threeWayMerge } from './three-way-merge.js';

export interface MergeRequest {
  readonly graph: string;
  /** The branch whose changes are wanted. */
  readonly source: string;
  /** The branch that gets them; default `main`. */
  readonly target?: string | undefined;
  readonly author: Author;
  readonly resolutions?: readonly Resolution[] | undefined;
  /** What to take in conflicts that no resolution names; left out, they stand in the way. */
  readonly defaultSide?: ResolutionSide | undefined;
  /** Say what would happen, and change nothing. */
  readonly dryRun?: boolean | undefined;
  /** Whether it may change the gate's registry; left out, it may. */
  readonly registry?: RegistryAccess | undefined;
  /** Who reads, and what ends that, if nothing is written. */
  readonly readOptions?: Omit<ReadOptions, 'length'> | undefined;
}

export interface MergeReport {
  readonly source: string;
  readonly target: string;
  /** `fast_forward`: the target had nothing that the source did not know. */
  readonly outcome: 'already_up_to_date' | 'fast_forward' | 'merged';
  /** The commit on the target; null if there was nothing to merge, and for a dry run. */
  readonly commit: Commit | null;
  /** What the merge changes on the target. */
  readonly changes: GraphDiff;
  /** What stands in its way; only a dry run answers any. */
  readonly conflicts: readonly Conflict[];
  /** Names that several nodes of different types bear on the target because of the merge. */
  readonly sharedNames: readonly string[];
}

interface MergePlan extends ThreeWayMergeResult, Pick<MergeReport, 'outcome' | 'conflicts' | 'sharedNames'> {
  /** The schema that comes with what is merged; undefined if that stays as it is, as that of `main` always does. */
  readonly schema: string | null | undefined;
}

const noChanges: GraphDiff = { nodes: [], edges: [] };

/** Brings what a branch has changed since the two last met into another: all of it as one commit, or nothing. */
export async function mergeBranches(store: Store, request: MergeRequest): Promise<MergeReport> {
  const { graph, source, target = mainBranch, author, resolutions = [], dryRun = false, registry } = request;
  if (resolutions.length > limits.batchItems) {
    throw new TrellisError('LIMIT_EXCEEDED', `At most ${limits.batchItems} resolutions are allowed.`);
  }
  const from = await requireBranch(store, graph, source);
  const into = await requireBranch(store, graph, target);
  const { headCommit } = from;
  const upToDate: MergeReport = {
    ...{ source, target, outcome: 'already_up_to_date', commit: null },
    ...{ changes: noChanges, conflicts: [], sharedNames: [] },
  };
  if (headCommit === null) return upToDate;
  const plan = (reader: Reader, derived: readonly DerivedProperty[]) =>
    planMerge(reader, headCommit, request, derived);
  if (dryRun) {
    const isTyped = from.schemaSeq !== null || into.schemaSeq !== null;
    const rehearse = async (writer: RowWriter, reader: Reader) => {
      const planned = await plan(reader, await writer.derivedProperties());
      if (planned === undefined || planned.conflicts.length > 0 || !isTyped) return planned;
      return { ...planned, conflicts: await applyMerge(writer, planned) };
    };
    const planned = await store.rehearse({ graph, branch: target }, rehearse, request.readOptions);
    if (planned === undefined) return upToDate;
    if (into.schemaSeq === null) rejectRegistryChanges(planned.changes, registry);
    return { ...upToDate, ...reportOf(planned) };
  }
  try {
    const { result, commit } = await store.write(
      { graph, branch: target, registry },
      author,
      async (writer) => {
        const planned = await plan(writer, await writer.derivedProperties());
        // Thrown, because a merge that is let through is recorded even if it changes nothing.
        if (planned === undefined) throw new NothingToMerge();
        const conflicts =
          planned.conflicts.length > 0 ? planned.conflicts : await applyMerge(writer, planned);
        if (conflicts.length > 0) throw new MergeConflictError(source, target, conflicts);
        return planned;
      },
      { mergedParent: headCommit },
    );
    return { ...upToDate, ...reportOf(result), commit };
  } catch (error) {
    if (error instanceof NothingToMerge) return upToDate;
    throw error;
  }
}

/** Says of a dry run what the writer says of the merge itself. */
function rejectRegistryChanges({ nodes }: GraphDiff, registry: MergeRequest['registry']): void {
  const rows = nodes.flatMap(({ before, after }) => [before?.node ?? [], after?.node ?? []].flat());
  const entry = rows.find(isRegistryNode);
  if (entry !== undefined && registry?.mayChange?.() === false) throw registryProtected(entry.name);
}

class NothingToMerge extends Error {}

/** Makes the result of a merge; answers what the schema of the target has against it. */
async function applyMerge(writer: RowWriter, plan: MergePlan): Promise<Conflict[]> {
  const { schema } = plan;
  const earlier = schema === undefined ? null : await writer.schema();
  if (schema !== undefined) await writer.setSchema(schema);
  await applyDiff(writer, plan.changes);
  if (earlier !== null) await writer.migrateRows(earlier);
  await writer.keep(plan.kept);
  const violations = await writer.violations(schema === undefined ? 'written' : 'everything');
  return violations.map(conflictFromViolation);
}

/** What merging a commit into the state of the reader would do; undefined if that knows it already. */
async function planMerge(
  reader: Reader,
  commit: string,
  { resolutions = [], defaultSide, target = mainBranch }: MergeRequest,
  derived: readonly DerivedProperty[],
): Promise<MergePlan | undefined> {
  const { relation, base, touched } = await reader.unseen(commit);
  if (relation === 'contained') return undefined;
  const judge = new ConflictResolver(resolutions, defaultSide);
  const states = { base: await reader.at(base), ours: reader, theirs: await reader.at(commit) };
  const merged = await threeWayMerge(states, touched, judge, { derived });
  await rejectUnusedResolutions(judge, states, touched, derived);
  const schema = target === mainBranch ? undefined : await incomingSchema(states);
  return {
    ...merged,
    schema,
    changes:
      schema === undefined ? merged.changes : withSchemaChange(merged.changes, await reader.schema(), schema),
    outcome: relation === 'ahead' ? 'fast_forward' : 'merged',
    conflicts: judge.unresolved,
    sharedNames: await sharedNames(reader, merged.changes),
  };
}

/** Schemas are applied on main alone, so whoever merges main gets the one it has now. */
async function incomingSchema({ base, ours, theirs }: Sides<Reader>): Promise<string | null | undefined> {
  const [before, own, other] = await Promise.all([base.schema(), ours.schema(), theirs.schema()]);
  return other === before || other === own ? undefined : other;
}

function reportOf({ outcome, changes, conflicts, sharedNames: shared }: MergePlan) {
  return { outcome, changes, conflicts, sharedNames: shared };
}
