import type { Clock, Ids } from '../../../model/clock.js';
import type { Author, Commit } from '../../../model/commit.js';
import type { Branch } from '../../../model/graph-record.js';
import { schemaViolation } from '../../../model/violation.js';
import type { WriteTarget } from '../../graph-targets.js';
import type { CommitOverrides } from '../../write-result.js';
import type { CompiledGraphSchema } from '../../write-validator.js';
import type { Writer } from '../../writer.js';
import { CommitLog } from '../commits/commit-log.js';
import type { TouchedSet } from '../commits/touched-set.js';
import type { Dialect, SequenceAllocator } from '../dialect.js';
import type { Executor } from '../executor.js';
import type { GraphCatalog } from '../graph-catalog.js';
import { graphSchemaAt } from '../graph-schema-versions.js';
import type { Lineage } from '../lineage.js';
import { refuseMovedHead } from './require-head.js';
import { SqlWriter } from './sql-writer.js';
import { WriteSchema } from './write-schema.js';

export interface WriteContext {
  readonly executor: Executor;
  readonly dialect: Dialect;
  readonly catalog: GraphCatalog;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly compileGraphSchema: (source: string) => Promise<CompiledGraphSchema>;
}

export interface CommittedWrite<T> {
  readonly result: T;
  readonly commit: Commit | null;
  readonly touched: TouchedSet;
}

/** What a write starts from: its branch, locked until the transaction ends, and the numbers that it may give out. */
export interface LockedBranch {
  readonly graphId: number;
  readonly branch: Branch;
  readonly lineage: Lineage;
  readonly sequences: SequenceAllocator;
}

/** @param writes How many writes of the transaction will start from it. */
export async function lockForWrite(
  { executor, dialect, catalog }: Pick<WriteContext, 'executor' | 'dialect' | 'catalog'>,
  target: WriteTarget,
  writes = 1,
): Promise<LockedBranch> {
  const found = await catalog.lockBranch(target, dialect.lockForWrite, dialect.sequenceColumns);
  const { graphId, branch, row } = found;
  const sequences = dialect.sequences(executor, row, writes);
  return { graphId, branch, lineage: await catalog.headLineage(graphId, branch), sequences };
}

/** What the next write of the same transaction starts from. */
export function lockedAfter(locked: LockedBranch, { id: headCommit, seq: headSeq }: Commit): LockedBranch {
  const [head, ...inherited] = locked.lineage.levels;
  return {
    ...locked,
    branch: { ...locked.branch, headCommit, headSeq },
    lineage: { ...locked.lineage, levels: [{ ...head, seq: headSeq }, ...inherited] },
  };
}

/** @param locked If the transaction has locked the branch already. */
export async function writeCommit<T>(
  context: WriteContext,
  target: WriteTarget,
  author: Author,
  work: (writer: Writer) => Promise<T>,
  stamp?: CommitOverrides,
  locked?: LockedBranch,
): Promise<CommittedWrite<T>> {
  const start = locked ?? (await lockForWrite(context, target));
  const { branch } = start;
  const { ifCommit } = target;
  const writer = await openWriter(context, target, start, stamp);
  if (ifCommit !== undefined && branch.headCommit !== ifCommit)
    await refuseMovedHead(writer, branch, ifCommit, work);
  const result = await work(writer);
  await requireValid(writer);
  const { touched } = writer;
  if (writer.commitSeq === undefined && stamp === undefined) return { result, commit: null, touched };
  const seq = writer.commitSeq ?? (await writer.beginCommit());
  await writer.recordTouched(seq);
  return {
    result,
    commit: addCommit(context, start, writer, { seq, now: writer.now }, author, stamp),
    touched,
  };
}

/** A writer that starts from a branch as it was found. */
export async function openWriter(
  { executor, dialect, clock, compileGraphSchema }: WriteContext,
  { registry }: WriteTarget,
  { graphId, branch, lineage, sequences }: LockedBranch,
  stamp?: CommitOverrides,
): Promise<SqlWriter> {
  // A copied commit was validated where it was made.
  const isValidated = stamp?.id === undefined;
  const schema = new WriteSchema(compileGraphSchema, isValidated);
  if (isValidated && branch.schemaSeq !== null)
    await schema.use(await graphSchemaAt(executor, graphId, branch.schemaSeq));
  const { headCommit, purges } = branch;
  return new SqlWriter(executor, dialect, lineage, {
    ...{ now: stamp?.time ?? clock(), sequences, schema, registry, headCommit, purges },
  });
}

export async function requireValid(writer: SqlWriter): Promise<void> {
  if (!writer.isValidated) return;
  const violations = await writer.violations();
  if (violations.length > 0) throw schemaViolation(violations);
}

/** @param writer What it changed is what the commit counts. */
export function addCommit(
  { executor, ids }: Pick<WriteContext, 'executor' | 'ids'>,
  { graphId, branch }: Pick<LockedBranch, 'graphId' | 'branch'>,
  writer: SqlWriter,
  { seq, now }: { readonly seq: number; readonly now: number },
  author: Author,
  stamp?: CommitOverrides,
): Commit {
  const record = {
    id: stamp?.id ?? ids(now),
    seq,
    time: now,
    mergedParent: stamp?.mergedParent ?? null,
    counts: stamp?.counts ?? writer.changes,
    ...(writer.setsSchema ? { setsSchema: true as const } : {}),
  };
  return new CommitLog(executor, graphId).add(branch, record, author);
}
