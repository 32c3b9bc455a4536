import { basename } from 'node:path';
import type { z } from 'zod';
import { atLeastOne, type Permission } from '../../../access/permission.js';
import type { Source } from '../../../language/source.js';
import { TrellisError } from '../../../model/error.js';
import { redactWithoutRead } from '../../../model/redact-without-read.js';
import type { StoredQuery } from '../../../query/stored/stored-query.js';
import type { Call } from '../../call.js';
import type { QueryMeans } from '../query-means.js';
import { type MutationTold, mutationAnswer, queryAnswer, type rowsOutput } from '../query-shapes.js';
import { readableState, type StateWish } from '../readable-state.js';

/** What a stored query is called with: its parameters, and where to run it. */
export interface StoredCall extends StateWish {
  readonly params: unknown;
}

/**
 * What calling a stored query needs: to be allowed to, and of one that writes also to change the branch. One that reads
 * needs no more, since what it shows was chosen by whoever stored it (seed 5.9).
 */
export function neededFor(
  { name, checked }: StoredQuery,
  branch: string | typeof atLeastOne | undefined,
): readonly Permission[] {
  const invoke: Permission = { action: 'invoke_query', query: name, branch };
  return checked.body.kind === 'mutation' ? [invoke, { action: 'change', branch }] : [invoke];
}

/** The same for a call: the branch of a snapshot is known only when it is looked up. */
export function neededForCall(query: StoredQuery, { branch, snapshot }: StateWish): readonly Permission[] {
  return neededFor(query, snapshot === undefined ? branch : atLeastOne);
}

/** Runs a stored query as its caller asks. */
export async function runStored(
  call: Call,
  query: StoredQuery,
  { params, branch, snapshot }: StoredCall,
  { embed, maxRows }: QueryMeans,
): Promise<z.output<typeof rowsOutput> | MutationTold> {
  const { name, checked } = query;
  const source = withoutFolders(query.source);
  if (checked.body.kind === 'mutation') {
    if (snapshot !== undefined) throw onSnapshot(name);
    const { executeMutation } = await import('../../../query/execute-mutation.js');
    const target = branch ?? call.graph.branch;
    try {
      const answer = await executeMutation(call.graph.on(target), { source, name, params }, call.now);
      return mutationAnswer(answer, target, call.actor.id);
    } catch (error) {
      const mayRead = call.may([{ action: 'read', branch: target }]);
      throw mayRead || !(error instanceof TrellisError) ? error : redactWithoutRead(error);
    }
  }
  const { executeQuery } = await import('../../../query/execute-query.js');
  const state = await readableState(call, { branch, snapshot }, (on) => neededFor(query, on));
  const wish = { source, name, params, snapshot: state.snapshot, maxRows };
  return queryAnswer(await executeQuery(state.graph, wish, { clock: call.now, embed }), state);
}

function onSnapshot(name: string): TrellisError {
  return new TrellisError('INVALID_ARGUMENT', `${name} changes a branch; a snapshot can only be read.`, {
    hint: 'Nothing was done. Leave snapshot out, and say with branch where to write.',
  });
}

/** On another branch the query may be wrong, which agents are told, too: the folders of its file are left out. */
function withoutFolders({ text, file }: Source): Source {
  return { text, file: file === undefined ? undefined : basename(file) };
}
