import { type Author, type Commit, commitNotFound } from '../../model/commit.js';
import { TrellisError } from '../../model/error.js';
import { mainBranch } from '../../model/graph-record.js';
import { schemaViolation } from '../../model/violation.js';
import type { RegistryAccess } from '../../store/graph-targets.js';
import type { ReadOptions } from '../../store/read-options.js';
import type { TouchedByCommit } from '../../store/read-results.js';
import type { Reader } from '../../store/reader.js';
import type { Store } from '../../store/store-contract.js';
import type { RowWriter } from '../../store/writer.js';
import { applyWrites, type DiffWrites, planWrites } from './apply-diff.js';
import { findCommits } from './find-commits.js';
import { type GraphDiff, withSchemaChange } from './graph-diff.js';
import type { Conflict } from './merge/conflict.js';
import { ConflictResolver } from './merge/conflict-resolver.js';
import { threeWayMerge } from './merge/three-way-merge.js';
import { type Footprint, joinFootprints, writePrepared } from './prepared-write.js';
import { rejectRegistryChanges } from './reject-registry-changes.js';
import { requireBranch } from './resolve-ref.js';

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
  const undoAll = async (reader: Reader, writer: RowWriter) => {
    const before = await writer.schema();
    const steps: UndoStep[] = [];
    for (const subject of subjects) steps.push(await undoCommit(reader, writer, subject, branch));
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
        const planned = await undoAll(reader, writer);
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
      const steps = await undoAll(reader, writer);
      return {
        steps,
        footprint: joinFootprints(steps.map(({ footprint }) => footprint)),
        writes: steps.map(({ writes }) => writes),
        setsSchema: steps.some(({ schema }) => schema !== undefined),
      };
    },
    apply: async (writer, { steps, writes }) => {
      for (const [index, each] of writes.entries())
        await applyStep(writer, { writes: each, schema: steps[index]?.schema });
      await validate(writer);
      return steps;
    },
    run: async (writer) => {
      const steps = await undoAll(writer, writer);
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

async function undoCommit(
  reader: Reader,
  writer: RowWriter,
  { commit, touched }: CommitToUndo,
  branch: string,
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
  });
  const before = await writer.schema();
  const schema =
    branch === mainBranch ? await schemaToRestore(touched.schema, before, states.theirs) : undefined;
  const writes = await planWrites(changes, theirNode);
  await applyStep(writer, { writes, schema });
  const undone = {
    commit,
    changes: withSchemaChange(changes, before, await writer.schema()),
    left: resolver.resolvedByDefault,
  };
  return { undone, writes, schema, footprint };
}

async function applyStep(
  writer: RowWriter,
  { writes, schema }: Pick<UndoStep, 'writes' | 'schema'>,
): Promise<void> {
  if (schema !== undefined) await writer.setSchema(schema);
  await applyWrites(writer, writes);
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
