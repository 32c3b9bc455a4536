import { forEachYielding } from '../../bounds/yielding-loops.js';
import { type Author, type Commit, commitNotFound } from '../../model/commit.js';
import { TrellisError } from '../../model/error.js';
import { mainBranch } from '../../model/graph-record.js';
import type { NodeId } from '../../model/node.js';
import { schemaViolation } from '../../model/violation.js';
import type { RegistryAccess } from '../../store/graph-targets.js';
import type { ReadOptions } from '../../store/read-options.js';
import type { TouchedByCommit } from '../../store/read-results.js';
import type { Reader } from '../../store/reader.js';
import type { Store } from '../../store/store-contract.js';
import type { RowWriter } from '../../store/writer.js';
import { applyWrites } from './apply-diff.js';
import { findCommits } from './find-commits.js';
import { type GraphDiff, withSchemaChange } from './graph-diff.js';
import type { Conflict } from './merge/conflict.js';
import { ConflictResolver } from './merge/conflict-resolver.js';
import { threeWayMerge } from './merge/three-way-merge.js';
import { type DiffWrites, planWrites } from './plan-writes.js';
import { type Footprint, joinFootprints, writePrepared } from './prepared-write.js';
import { rejectRegistryChanges } from './reject-registry-changes.js';
import { requireBranch, requireUncollected } from './resolve-ref.js';

export interface UndoRequest {
  readonly graph: string;
  /** Default: `main`. */
  readonly branch?: string | undefined;
  /** Newest first. */
  readonly commits: readonly string[];
  readonly author: Author;
  readonly dryRun?: boolean | undefined;
  /** Commits of other branches do not exist: undoing them shows values that only their branch had. */
  readonly mayRead?: ((branch: string) => boolean) | undefined;
  readonly registry?: RegistryAccess | undefined;
  /** For a dry run. */
  readonly readOptions?: Omit<ReadOptions, 'length'> | undefined;
  /** Called with the restored schema, null for none; throws to stop the undo. */
  readonly checkSchema?: ((source: string | null) => Promise<void>) | undefined;
}

/** Undoing the commits of an actor leaves their undo commits alone. */
export const undoTool = 'undo';

/** The commits named, those of an actor since a time, or the newest one. */
export type UndoSelection =
  | { readonly commits: readonly string[] }
  | { readonly actor: string; readonly since: number }
  | { readonly last: true };

/**
 * @param background The tool that writes on its own: its commits are not the last thing that somebody did.
 * @param mayRead See `UndoRequest`.
 */
export async function commitsToUndo(
  store: Store,
  { graph, branch }: { readonly graph: string; readonly branch: string },
  selection: UndoSelection,
  background: string,
  mayRead: (branch: string) => boolean = () => true,
): Promise<string[]> {
  if ('commits' in selection) return [...new Set(selection.commits)];
  if ('last' in selection) {
    const [last] = await findCommits(store, { graph, branch, except: [background], limit: 1 });
    return last === undefined ? [] : [last.id];
  }
  const found = await findCommits(store, { graph, branch, ...selection, except: [undoTool] });
  return found.filter((commit) => mayRead(commit.branch)).map(({ id }) => id);
}

export interface UndoneCommit {
  readonly commit: Commit;
  readonly changes: GraphDiff;
  /** What stays because later commits changed it: `base` is what the commit left, `ours` the current value. */
  readonly left: readonly Conflict[];
}

export interface UndoReport {
  /** Null if nothing was undone, and for a dry run. */
  readonly commit: Commit | null;
  readonly undone: readonly UndoneCommit[];
}

interface CommitToUndo {
  readonly commit: Commit;
  readonly touched: TouchedByCommit;
}

/**
 * Undoes commits as one new commit: a merge with the commit's state as the base and its parent's state as the source.
 * What later commits changed stays, and is reported.
 */
export async function undo(store: Store, request: UndoRequest): Promise<UndoReport> {
  const { graph, branch = mainBranch, author, registry, dryRun = false } = request;
  const subjects: CommitToUndo[] = [];
  for (const id of request.commits) {
    const commit = await store.commit(graph, id);
    if (request.mayRead?.(commit.branch) === false) throw commitNotFound(id);
    subjects.push({ commit, touched: await store.touchedBy(graph, commit) });
  }
  const target = { graph, branch, registry };
  /** @param appliesAll Otherwise, not what nothing further is worked out from. */
  const undoAll = async (reader: Reader, writer: RowWriter, appliesAll: boolean) => {
    const before = await writer.schema();
    const steps: UndoStep[] = [];
    for (const [index, subject] of subjects.entries()) {
      const step = await undoCommit({ reader, writer, branch }, subject, steps);
      if (appliesAll || index < subjects.length - 1) await applyWrites(writer, step.writes);
      steps.push(step);
    }
    const after = await writer.schema();
    if (after !== before) await request.checkSchema?.(after);
    return steps;
  };
  const validate = async (writer: RowWriter) => {
    if (subjects.some(({ touched }) => touched.schema !== undefined)) await validateWholeGraph(writer);
  };
  if (dryRun) {
    const steps = await store.rehearse(
      target,
      async (writer, reader) => {
        const planned = await undoAll(reader, writer, true);
        await validate(writer);
        return planned;
      },
      request.readOptions,
    );
    const undone = steps.map((step) => step.undone);
    const isTyped = (await requireBranch(store, graph, branch)).schemaSeq !== null;
    if (!isTyped) for (const { changes } of undone) rejectRegistryChanges(changes, registry);
    return { commit: null, undone };
  }
  const { result, commit } = await writePrepared(store, target, author, {
    plan: async (reader, writer) => {
      const steps = await undoAll(reader, writer, false);
      return {
        steps,
        footprint: await joinFootprints(steps.map(({ footprint }) => footprint)),
        writes: steps.map(({ writes }) => writes),
        setsSchema: steps.some(({ schema }) => schema !== undefined),
      };
    },
    apply: async (writer, { steps, writes }) => {
      for (const [index, each] of writes.entries()) {
        const schema = steps[index]?.schema;
        if (schema !== undefined) await writer.setSchema(schema);
        await applyWrites(writer, each);
      }
      await validate(writer);
      return steps;
    },
    run: async (writer) => {
      const steps = await undoAll(writer, writer, true);
      await validate(writer);
      return steps;
    },
  });
  return { commit, undone: result.map((step) => step.undone) };
}

/** A commit undone, and how. */
interface UndoStep {
  readonly undone: UndoneCommit;
  readonly writes: DiffWrites;
  /** The restored schema; undefined if it stays. */
  readonly schema: string | null | undefined;
  readonly footprint: Footprint;
}

interface UndoPlace {
  readonly reader: Reader;
  readonly writer: RowWriter;
  readonly branch: string;
}

/** Sets the schema; the rows are left to write. */
async function undoCommit(
  { reader, writer, branch }: UndoPlace,
  { commit, touched }: CommitToUndo,
  earlier: readonly UndoStep[],
): Promise<UndoStep> {
  const { relation } = await reader.unseen(commit.id);
  if (relation !== 'contained') {
    throw new TrellisError('INVALID_ARGUMENT', `Commit ${commit.id} is not in the history of ${branch}.`, {
      hint: `It is on the branch ${commit.branch}; undo it there.`,
      details: { commit: commit.id, branch: commit.branch },
    });
  }
  const resolver = new ConflictResolver([], 'target');
  const states = {
    base: await reader.at(commit.id),
    ours: writer,
    theirs: await reader.at(commit.parent),
  };
  const { changes, footprint, theirNode } = await threeWayMerge(states, touched, resolver, {
    edgesFollowNodes: false,
    derived: await writer.derivedProperties(),
    changedHere: await changedSince(reader, commit, touched, earlier),
  });
  const before = await writer.schema();
  const schema =
    branch === mainBranch ? await schemaToRestore(touched.schema, before, states.theirs) : undefined;
  const writes = await planWrites(changes, writer, theirNode);
  await requireUncollected(reader, [commit.id, commit.parent]);
  if (schema !== undefined) await writer.setSchema(schema);
  const undone = {
    commit,
    changes: withSchemaChange(changes, before, await writer.schema()),
    left: resolver.resolvedByDefault,
  };
  return { undone, writes, schema, footprint };
}

/** Nodes that may no longer be as the commit left them: later commits have touched them, or earlier steps. */
async function changedSince(
  reader: Reader,
  commit: Commit,
  { nodes }: TouchedByCommit,
  earlier: readonly UndoStep[],
): Promise<ReadonlySet<NodeId>> {
  const touched = await reader.nodesTouchedSince(commit.id, nodes);
  if (earlier.length === 0) return touched;
  const changed = new Set(touched);
  for (const { undone } of earlier) {
    await forEachYielding(undone.changes.nodes, ({ before, after }) => {
      const there = before ?? after;
      if (there !== null) changed.add(there.node.id);
    });
  }
  return changed;
}

/** The schema from before the commit, unless a newer one was set since. */
async function schemaToRestore(
  set: string | null | undefined,
  now: string | null,
  before: Reader,
): Promise<string | null | undefined> {
  return set === undefined || now !== set ? undefined : before.schema();
}

/** A restored schema has not seen what was written since. */
async function validateWholeGraph(writer: RowWriter): Promise<void> {
  const violations = await writer.violations('everything');
  if (violations.length > 0) throw schemaViolation(violations);
}
