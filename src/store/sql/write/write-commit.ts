import type { Clock, Ids } from '../../../model/clock.js';
import type { Author, Commit } from '../../../model/commit.js';
import { schemaViolation } from '../../../model/violation.js';
import type { WriteTarget } from '../../graph-targets.js';
import type { CommitOverrides } from '../../write-result.js';
import type { CompiledGraphSchema } from '../../write-validator.js';
import type { Writer } from '../../writer.js';
import { CommitLog } from '../commits/commit-log.js';
import type { TouchedSet } from '../commits/touched-set.js';
import type { Dialect } from '../dialect.js';
import type { Executor } from '../executor.js';
import type { GraphCatalog } from '../graph-catalog.js';
import { graphSchemaAt } from '../graph-schema-versions.js';
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

export async function writeCommit<T>(
  { executor, dialect, catalog, clock, ids, compileGraphSchema }: WriteContext,
  target: WriteTarget,
  author: Author,
  work: (writer: Writer) => Promise<T>,
  stamp?: CommitOverrides,
): Promise<CommittedWrite<T>> {
  const locked = await catalog.lockBranch(target, dialect.lockForWrite, dialect.sequenceColumns);
  const { graphId, branch } = locked;
  const now = stamp?.time ?? clock();
  const lineage = await catalog.headLineage(graphId, branch);
  // A copied commit was validated where it was made.
  const isValidated = stamp?.id === undefined;
  const schema = new WriteSchema(compileGraphSchema, isValidated);
  if (isValidated && branch.schemaSeq !== null)
    await schema.use(await graphSchemaAt(executor, graphId, branch.schemaSeq));
  const sequences = dialect.sequences(executor, locked.row);
  const { registry, ifCommit } = target;
  const { headCommit } = branch;
  const writer = new SqlWriter(executor, dialect, lineage, {
    ...{ now, sequences, schema, registry, headCommit },
  });
  if (ifCommit !== undefined && headCommit !== ifCommit)
    await refuseMovedHead(writer, branch, ifCommit, work);
  const result = await work(writer);
  if (writer.isValidated) {
    const violations = await writer.violations();
    if (violations.length > 0) throw schemaViolation(violations);
  }
  const { touched } = writer;
  if (writer.commitSeq === undefined && stamp === undefined) return { result, commit: null, touched };
  const seq = writer.commitSeq ?? (await writer.beginCommit());
  await writer.recordTouched(seq);
  const record = {
    id: stamp?.id ?? ids(now),
    seq,
    time: now,
    mergedParent: stamp?.mergedParent ?? null,
    counts: stamp?.counts ?? writer.changes,
    ...(writer.setsSchema ? { setsSchema: true as const } : {}),
  };
  const commit = new CommitLog(executor, graphId).add(branch, record, author);
  return { result, commit, touched };
}
