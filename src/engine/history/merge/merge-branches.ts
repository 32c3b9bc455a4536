import { forEachYielding } from '../../../bounds/yielding-loops.js';
import type { Author, Commit } from '../../../model/commit.js';
import { TrellisError } from '../../../model/error.js';
import { type Branch, mainBranch } from '../../../model/graph-record.js';
import { headMoved } from '../../../model/head-moved.js';
import { limits } from '../../../model/limits.js';
import type { Node, NodeId } from '../../../model/node.js';
import type { RegistryAccess } from '../../../store/graph-targets.js';
import type { ReadOptions } from '../../../store/read-options.js';
import type { DerivedProperty, TouchedItems } from '../../../store/read-results.js';
import type { Reader } from '../../../store/reader.js';
import type { Store } from '../../../store/store-contract.js';
import type { RowWriter } from '../../../store/writer.js';
import { applyWrites } from '../apply-diff.js';
import { type GraphDiff, withSchemaChange } from '../graph-diff.js';
import { type DiffWrites, planWrites } from '../plan-writes.js';
import { type PreparedWrite, writePrepared } from '../prepared-write.js';
import { rejectRegistryChanges } from '../reject-registry-changes.js';
import { requireBranch, requireUncollected } from '../resolve-ref.js';
import {
  type Conflict,
  conflictFromViolation,
  MergeConflictError,
  type Resolution,
  type ResolutionSide,
  type Sides,
} from './conflict.js';
import { ConflictResolver, resolutionMatches } from './conflict-resolver.js';
import { type ThreeWayMergeResult, threeWayMerge } from './three-way-merge.js';

export interface MergeRequest {
  readonly graph: string;
  readonly source: string;
  /** Default: `main`. */
  readonly target?: string | undefined;
  readonly author: Author;
  readonly resolutions?: readonly Resolution[] | undefined;
  /** The changes to merge, by the ids that conflicts have; left out, all. The rest stays, and later merges leave it out too. */
  readonly take?: readonly string[] | undefined;
  /** Decides conflicts that no resolution names; left out, they stop the merge. */
  readonly defaultSide?: ResolutionSide | undefined;
  readonly dryRun?: boolean | undefined;
  /** The head that the target must have; see `WriteTarget`. */
  readonly ifCommit?: string | undefined;
  /** Left out, the merge may change the gate registry. */
  readonly registry?: RegistryAccess | undefined;
  /** For a dry run. */
  readonly readOptions?: Omit<ReadOptions, 'length'> | undefined;
}

export interface MergeReport {
  readonly source: string;
  readonly target: string;
  /** `fast_forward`: the target had nothing new. */
  readonly outcome: 'already_up_to_date' | 'fast_forward' | 'merged';
  /** Null if there was nothing to merge, and for a dry run. */
  readonly commit: Commit | null;
  readonly changes: GraphDiff;
  /** Only a dry run returns any. */
  readonly conflicts: readonly Conflict[];
  /** Names that nodes of different types share on the target because of the merge. */
  readonly sharedNames: readonly string[];
}

interface MergePlan extends ThreeWayMergeResult, Pick<MergeReport, 'outcome' | 'conflicts' | 'sharedNames'> {
  readonly writes: readonly DiffWrites[];
  /** The incoming schema; undefined if the schema stays, as it always does on `main`. */
  readonly schema: string | null | undefined;
  readonly setsSchema: boolean;
}

const noChanges: GraphDiff = { nodes: [], edges: [] };

/** Merges what a branch changed since the last merge into another, as one commit or not at all. */
export async function mergeBranches(store: Store, request: MergeRequest): Promise<MergeReport> {
  const {
    graph,
    source,
    target = mainBranch,
    author,
    resolutions = [],
    dryRun = false,
    registry,
    ifCommit,
  } = request;
  if (resolutions.length > limits.batchItems) {
    throw new TrellisError('LIMIT_EXCEEDED', `At most ${limits.batchItems} resolutions are allowed.`);
  }
  const from = await requireBranch(store, graph, source);
  const into = await requireBranch(store, graph, target);
  const { headCommit } = from;
  // Also where nothing is written: nothing to merge, or a dry run.
  if (ifCommit !== undefined && into.headCommit !== ifCommit && (dryRun || headCommit === null))
    throw headMoved({ branch: target, expected: ifCommit, head: await headOf(store, graph, into) });
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
    if (into.schemaSeq === null && planned.conflicts.length === 0)
      rejectRegistryChanges(planned.changes, registry);
    return { ...upToDate, ...reportOf(planned) };
  }
  const refuse = (conflicts: readonly Conflict[]) => {
    if (conflicts.length > 0) throw new MergeConflictError(source, target, conflicts);
  };
  const planOrRefuse = async (reader: Reader, writer: RowWriter) => {
    const planned = await plan(reader, await writer.derivedProperties());
    // Thrown, because a write that returns is recorded even if it changes nothing.
    if (planned === undefined) throw new NothingToMerge();
    refuse(planned.conflicts);
    return planned;
  };
  const apply = async (writer: RowWriter, planned: MergePlan): Promise<MergePlan> => {
    refuse(await applyMerge(writer, planned));
    return planned;
  };
  const work: PreparedWrite<MergePlan, MergePlan> = {
    plan: planOrRefuse,
    apply,
    moved: (planned) => ({ ...planned, outcome: 'merged' }),
    run: async (writer) => apply(writer, await planOrRefuse(writer, writer)),
  };
  try {
    const { result, commit } = await writePrepared(
      store,
      { graph, branch: target, registry, ifCommit },
      author,
      work,
      { mergedParent: headCommit },
    );
    return { ...upToDate, ...reportOf(result), commit };
  } catch (error) {
    if (error instanceof NothingToMerge) return upToDate;
    throw error;
  }
}

async function headOf(store: Store, graph: string, { headCommit }: Branch): Promise<Commit | null> {
  return headCommit === null ? null : store.commit(graph, headCommit);
}

class NothingToMerge extends Error {}

/** Returns the schema violations of the result. */
async function applyMerge(writer: RowWriter, plan: MergePlan): Promise<Conflict[]> {
  const { schema } = plan;
  const earlier = schema === undefined ? null : await writer.schema();
  if (schema !== undefined) await writer.setSchema(schema);
  for (const writes of plan.writes) await applyWrites(writer, writes);
  if (earlier !== null) await writer.migrateRows(earlier);
  await writer.keep(plan.kept);
  const violations = await writer.violations(schema === undefined ? 'written' : 'everything');
  return violations.map(conflictFromViolation);
}

/** Undefined if the reader's state already includes the commit. */
async function planMerge(
  reader: Reader,
  commit: string,
  { resolutions = [], take, defaultSide, target = mainBranch }: MergeRequest,
  derived: readonly DerivedProperty[],
): Promise<MergePlan | undefined> {
  const { relation, base, touched } = await reader.unseen(commit);
  if (relation === 'contained') return undefined;
  const resolver = new ConflictResolver(resolutions, defaultSide);
  // Without commits of its own, ours is the base.
  const states = {
    base: relation === 'ahead' ? reader : await reader.at(base),
    ours: reader,
    theirs: await reader.at(commit),
  };
  const changedHere = base === null ? undefined : await reader.nodesTouchedSince(base, touched.nodes);
  const unknown = new Set(take);
  const taken = new Set(take);
  const isTaken = (id: string) => {
    unknown.delete(id);
    return taken.has(id);
  };
  const options = { derived, changedHere, isTaken: take === undefined ? undefined : isTaken };
  const merged = await threeWayMerge(states, touched, resolver, options);
  rejectUnknownChanges(unknown);
  await rejectUnusedResolutions(resolver, states, touched, derived);
  const schema = target === mainBranch ? undefined : await incomingSchema(states);
  const writes = [await planWrites(merged.changes, reader, merged.theirNode)];
  await requireUncollected(reader, [base, commit]);
  return {
    ...merged,
    writes,
    schema,
    setsSchema: schema !== undefined,
    changes:
      schema === undefined ? merged.changes : withSchemaChange(merged.changes, await reader.schema(), schema),
    outcome: relation === 'ahead' ? 'fast_forward' : 'merged',
    conflicts: resolver.unresolved,
    sharedNames: await sharedNames(reader, merged.changes),
  };
}

/** An id that matches nothing is a mistake that silence would hide. */
function rejectUnknownChanges([first]: Iterable<string>): void {
  if (first === undefined) return;
  throw new TrellisError('INVALID_ARGUMENT', `No change of the source matches ${first}.`, {
    hint: 'Nothing was merged. An id is node/TYPE/NAME or edge/FROM/TYPE/TO, each part percent-encoded.',
  });
}

/** Schemas are applied on main only, so merging main brings its current one. */
async function incomingSchema({ base, ours, theirs }: Sides<Reader>): Promise<string | null | undefined> {
  const [before, own, other] = await Promise.all([base.schema(), ours.schema(), theirs.schema()]);
  return other === before || other === own ? undefined : other;
}

function reportOf({ outcome, changes, conflicts, sharedNames: shared }: MergePlan) {
  return { outcome, changes, conflicts, sharedNames: shared };
}

/**
 * Names that nodes of different types will share. Each branch may have created one; both are kept, because type and
 * name identify a node. Tools that know nodes by name alone will then ask which one is meant, so the merge reports it.
 */
async function sharedNames(target: Reader, { nodes }: GraphDiff): Promise<string[]> {
  const fresh: Node[] = [];
  const gone = new Set<NodeId>();
  await forEachYielding(nodes, ({ before, after }) => {
    if (before === null && after !== null) fresh.push(after.node);
    if (after === null && before !== null) gone.add(before.node.id);
  });
  const there = await target.nodesNamed(fresh.map(({ name }) => name));
  /** The first node of each name. */
  const bearers = new Map<string, NodeId>();
  const shared = new Set<string>();
  const note = ({ id, name, stub }: Node) => {
    if (stub || gone.has(id)) return;
    const first = bearers.get(name);
    if (first === undefined) bearers.set(name, id);
    else if (first !== id) shared.add(name);
  };
  await forEachYielding(there, note);
  await forEachYielding(fresh, note);
  return shared.size === 0 ? [] : [...bearers.keys()].filter((name) => shared.has(name));
}

/**
 * An unused resolution is a mistake that silence would hide. But one decision can make another needless, so anything
 * that would be a conflict if all were decided for one side may be named as well.
 */
async function rejectUnusedResolutions(
  resolver: ConflictResolver,
  states: Sides<Reader>,
  touched: TouchedItems,
  derived: readonly DerivedProperty[] = [],
): Promise<void> {
  let { unusedResolutions } = resolver;
  for (const side of ['target', 'source'] as const) {
    if (unusedResolutions.length === 0) return;
    const probe = new ConflictResolver([], side);
    await threeWayMerge(states, touched, probe, { derived });
    unusedResolutions = unusedResolutions.filter(
      (one) => !probe.resolvedByDefault.some((conflict) => resolutionMatches(one, conflict)),
    );
  }
  const [first] = unusedResolutions;
  if (first === undefined) return;
  const { id, property } = first;
  throw new TrellisError(
    'INVALID_ARGUMENT',
    `No conflict matches ${id}${property === undefined ? '' : `, property ${property}`}.`,
    {
      hint: 'Remove this resolution, or copy id and property from the list of conflicts.',
      details: { resolution: first, conflicts: resolver.unresolved },
    },
  );
}
