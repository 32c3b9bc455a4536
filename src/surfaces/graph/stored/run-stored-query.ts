import { basename } from 'node:path';
import type { z } from 'zod';
import { atLeastOne, type Permission } from '../../../access/permission.js';
import type { Source } from '../../../language/source.js';
import { TrellisError } from '../../../model/error.js';
import { redactWithoutRead } from '../../../model/redact-without-read.js';
import type { StoredQuery } from '../../../query/stored/stored-query.js';
import type { CallContext } from '../../call-context.js';
import {
  type MutationOutput,
  type QuerySettings,
  type rowsOutput,
  toMutationOutput,
  toQueryOutput,
} from '../graph-query-shapes.js';
import { resolveReadableState, type StateRequest } from '../readable-state.js';

export interface StoredQueryCall extends StateRequest {
  readonly params: unknown;
  /** Only for mutations. */
  readonly ifCommit?: string | undefined;
  readonly expectMutation?: boolean | undefined;
}

/** A query that reads needs no `read`: whoever stored it chose what it shows. */
export function storedQueryPermissions(
  { name, checked }: StoredQuery,
  branch: string | typeof atLeastOne | undefined,
): readonly Permission[] {
  const invoke: Permission = { action: 'invoke_query', query: name, branch };
  return checked.body.kind === 'mutation' ? [invoke, { action: 'change', branch }] : [invoke];
}

/** The branch of a snapshot is not known yet. */
export function storedCallPermissions(
  query: StoredQuery,
  { branch, snapshot }: StateRequest,
): readonly Permission[] {
  return storedQueryPermissions(query, snapshot === undefined ? branch : atLeastOne);
}

export async function runStoredQuery(
  call: CallContext,
  query: StoredQuery,
  { params, branch, snapshot, ifCommit, expectMutation }: StoredQueryCall,
  { embed, maxRows }: QuerySettings,
): Promise<z.output<typeof rowsOutput> | MutationOutput> {
  const { name, checked } = query;
  const source = withBasename(query.source);
  const isWrite = checked.body.kind === 'mutation';
  if (expectMutation !== undefined && expectMutation !== isWrite) throw notAsExpected(name, isWrite);
  if (ifCommit !== undefined && !isWrite) throw readNotConditional(name);
  if (isWrite) {
    if (snapshot !== undefined) throw snapshotNotWritable(name);
    const { executeMutation } = await import('../../../query/execute-mutation.js');
    const target = branch ?? call.graph.branch;
    try {
      const result = await executeMutation(
        call.graph.on(target).ifAt(ifCommit),
        { source, name, params },
        call.now,
      );
      return toMutationOutput(result, target, call.actor.id);
    } catch (error) {
      const mayRead = call.may([{ action: 'read', branch: target }]);
      throw mayRead || !(error instanceof TrellisError) ? error : redactWithoutRead(error);
    }
  }
  const { executeQuery } = await import('../../../query/execute-query.js');
  const state = await resolveReadableState(call, { branch, snapshot }, (on) =>
    storedQueryPermissions(query, on),
  );
  const request = { source, name, params, snapshot: state.snapshot, maxRows };
  return toQueryOutput(await executeQuery(state.graph, request, { clock: call.now, embed }), state);
}

function snapshotNotWritable(name: string): TrellisError {
  return new TrellisError('INVALID_ARGUMENT', `${name} changes a branch; a snapshot can only be read.`, {
    hint: 'Nothing was done. Leave snapshot out, and name the target with branch.',
  });
}

function notAsExpected(name: string, isWrite: boolean): TrellisError {
  return new TrellisError('INVALID_ARGUMENT', `${name} ${isWrite ? 'writes' : 'only reads'}.`, {
    hint: `Nothing was done. expect_mutation says otherwise; set it to ${isWrite}, or leave it out.`,
  });
}

function readNotConditional(name: string): TrellisError {
  return new TrellisError('INVALID_ARGUMENT', `${name} only reads, so it cannot depend on if_commit.`, {
    hint: 'Nothing was done. Leave if_commit out; to read an older state, use snapshot.',
  });
}

/** Errors on other branches name the file: without its folders. */
function withBasename({ text, file }: Source): Source {
  return { text, file: file === undefined ? undefined : basename(file) };
}
