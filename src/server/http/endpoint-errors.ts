import { TrellisError } from '../../model/error.js';

/** A graph that is not there, and one the caller has no grant on. */
export function graphNotVisible(graph: string): TrellisError {
  return new TrellisError('GRAPH_NOT_FOUND', `There is no graph named ${JSON.stringify(graph)}.`, {
    hint: 'Create graphs with trellis graph create, or in the configuration.',
  });
}

/** The same for a branch. */
export function branchNotVisible(branch: string): TrellisError {
  return new TrellisError('BRANCH_NOT_FOUND', `There is no branch named ${JSON.stringify(branch)}.`, {
    hint: 'Create branches with branches_create, or with trellis branch create.',
  });
}

/** Whether a check finds that a graph is not there; one that fails otherwise says nothing about it. */
export async function isGraphGone(check: Promise<void>): Promise<boolean> {
  return check.then(
    () => false,
    (error: unknown) => error instanceof TrellisError && error.code === 'GRAPH_NOT_FOUND',
  );
}

/** Whether a graph could not be opened because of its stored queries. */
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
