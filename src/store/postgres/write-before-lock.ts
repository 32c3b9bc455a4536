import type pg from 'pg';
import type { Author } from '../../model/commit.js';
import type { WriteTarget } from '../graph-targets.js';
import type { SequenceAllocator } from '../sql/dialect.js';
import type { Executor } from '../sql/executor.js';
import { listIndexedProperties } from '../sql/properties/property-index.js';
import { selectNumber } from '../sql/rows.js';
import { sql } from '../sql/sql.js';
import { validateTouched } from '../sql/write/validate-touched.js';
import {
  addCommit,
  type CommittedWrite,
  lockForWrite,
  openWriter,
  requireValid,
  type WriteContext,
} from '../sql/write/write-commit.js';
import type { CommitOverrides, PlannedWrite } from '../write-result.js';
import { BlockedWriters } from './blocked-writers.js';
import { isStored } from './branch-write-queues.js';
import { NumbersAhead } from './numbers-ahead.js';
import { isLostConnection } from './postgres-errors.js';
import type { TransactionRunner } from './transaction-runner.js';

/** How many commits others may make meanwhile; taking as many numbers from a sequence takes a tenth of a second. */
const reservedSeqs = 100_000;

/** Others got in the way, or the work was refused: done again with the branch locked, it will tell. */
export class AbandonedWrite extends Error {}

interface WrittenBeforeLock<T> extends CommittedWrite<T> {
  readonly isMoved: boolean;
}

interface Place {
  readonly pool: pg.Pool;
  readonly transactions: TransactionRunner;
  readonly contextOf: (executor: Executor) => WriteContext;
}

/**
 * Does the work of a planned write, in one transaction, before it locks the branch: nobody sees its rows, and others may write
 * to the branch meanwhile. Then it locks the branch and checks that they have changed nothing that the plan depends on. The
 * commit comes after theirs, so its number is reserved well ahead of theirs. Whoever needs a row that it has locked comes
 * first: it is abandoned.
 */
export async function writeBeforeLock<T>(
  { pool, transactions, contextOf }: Place,
  target: WriteTarget,
  author: Author,
  planned: PlannedWrite<T>,
  stamp?: CommitOverrides,
): Promise<WrittenBeforeLock<T>> {
  const blocked = await BlockedWriters.open(pool).catch(abandon);
  const refusals = new Set<unknown>();
  const check: typeof planned.check = (writer) =>
    planned.check(writer).catch((refusal) => {
      refusals.add(refusal);
      throw refusal;
    });
  const attempt = async (executor: Executor) => {
    try {
      await blocked.watch(executor);
      return await write(contextOf(executor), target, author, { ...planned, check }, blocked, stamp);
    } catch (cause) {
      if (refusals.has(cause) || isLostConnection(cause)) throw cause;
      return abandon(cause);
    }
  };
  try {
    return await transactions.run(attempt, ({ commit }, executor) => isStored(executor, target, commit));
  } finally {
    await blocked.close();
  }
}

function abandon(cause: unknown): never {
  throw new AbandonedWrite('A write was abandoned before its branch was locked.', { cause });
}

async function write<T>(
  context: WriteContext,
  target: WriteTarget,
  author: Author,
  { check, work }: PlannedWrite<T>,
  blocked: BlockedWriters,
  stamp?: CommitOverrides,
): Promise<WrittenBeforeLock<T>> {
  const { executor, catalog, compileGraphSchema } = context;
  const { graphId, branch } = await catalog.branch(target);
  const lineage = await catalog.headLineage(graphId, branch);
  const indexes = await listIndexedProperties(executor, graphId);
  const seq = (await nextSeq(executor)) + reservedSeqs;
  const sequences = withSeq(new NumbersAhead(executor, 1), seq);
  const writer = await openWriter(context, target, { graphId, branch, lineage, sequences }, stamp);
  const result = await work(writer);
  await requireValid(writer);
  await writer.recordTouched(seq);
  const locked = await lockForWrite(context, target);
  await blocked.end();
  const { id, headCommit, headSeq, schemaSeq } = locked.branch;
  const isSame =
    locked.graphId === graphId &&
    id === branch.id &&
    headSeq < seq &&
    schemaSeq === branch.schemaSeq &&
    (target.ifCommit ?? headCommit) === headCommit &&
    // A property that was indexed meanwhile has no entries of this write.
    (await listIndexedProperties(executor, graphId)).length === indexes.length;
  if (!isSame) throw new AbandonedWrite('The branch has changed.');
  const checker = await openWriter(context, target, locked, stamp);
  const isMoved = await check(checker);
  const since = await checker.touchedSince(branch.headCommit);
  const schema = await checker.schema();
  // What others wrote was validated without this write, and this write perhaps without theirs.
  const violations =
    since === undefined || schema === null
      ? []
      : await validateTouched(checker, await compileGraphSchema(schema), since);
  if (since === undefined || violations.length > 0 || writer.commitSeq === undefined)
    throw new AbandonedWrite('The branch has changed.');
  await passSeq(executor, seq);
  const commit = addCommit(context, locked, writer, { seq, now: checker.now }, author, stamp);
  return { result, commit, touched: writer.touched, isMoved };
}

function nextSeq(executor: Executor): Promise<number> {
  return selectNumber(executor, sql`select nextval('commit_seq') as n`);
}

/**
 * Later commits must have higher numbers; only the branch's lock keeps others from taking lower ones. A large write elsewhere
 * may have passed it already. If somebody else in the graph got the same number, the log of commits refuses one of the two,
 * which is done again.
 */
async function passSeq(executor: Executor, seq: number): Promise<void> {
  const last = await nextSeq(executor);
  if (last < seq)
    await executor.all(sql`select count(nextval('commit_seq')) as n from generate_series(1, ${seq - last})`);
}

function withSeq(numbers: SequenceAllocator, seq: number): SequenceAllocator {
  return {
    take: (counter, count) => (counter === 'seq' ? Promise.resolve([seq]) : numbers.take(counter, count)),
  };
}
