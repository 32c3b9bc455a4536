import { TrellisError } from '../../model/error.js';

export function branchNotVisible(branch: string): TrellisError {
  return new TrellisError('BRANCH_NOT_FOUND', `There is no branch named ${JSON.stringify(branch)}.`, {
    hint: 'Create branches with branches_create, or with trellis branch create.',
  });
}

export function hasBrokenQueries(error: unknown): error is TrellisError {
  return error instanceof TrellisError && error.code === 'STORED_QUERY_INVALID';
}

export function graphNotServed(graph: string, cause: TrellisError): TrellisError {
  const publicMessage = `The graph ${JSON.stringify(graph)} is not served: one of its stored queries is broken.`;
  return new TrellisError(cause.code, publicMessage, {
    hint: "trellis lint and the server's log name the file and line.",
    publicMessage,
    cause,
  });
}
