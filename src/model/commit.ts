import { TrellisError } from './error.js';
import { commitLimits } from './limits.js';
import { checkFact } from './text.js';

export interface ChangeCounts {
  readonly nodesCreated: number;
  readonly nodesUpdated: number;
  readonly nodesDeleted: number;
  readonly observationsAdded: number;
  readonly observationsUpdated: number;
  readonly observationsDeleted: number;
  readonly edgesCreated: number;
  readonly edgesUpdated: number;
  readonly edgesDeleted: number;
}

export const zeroChangeCounts: ChangeCounts = {
  nodesCreated: 0,
  nodesUpdated: 0,
  nodesDeleted: 0,
  observationsAdded: 0,
  observationsUpdated: 0,
  observationsDeleted: 0,
  edgesCreated: 0,
  edgesUpdated: 0,
  edgesDeleted: 0,
};

/** Who makes a write, and with which tool or command. */
export interface Author {
  readonly actor: string;
  readonly tool: string;
  /** The MCP client, as `name/version`. */
  readonly client?: string | undefined;
  /** Why, in the author's words. */
  readonly message?: string | undefined;
}

export function authorOf({ actor, tool, client, message }: Author): Author {
  return {
    actor,
    tool,
    ...(client === undefined ? {} : { client }),
    ...(message === undefined ? {} : { message }),
  };
}

export function checkCommitMessage(message: string): string {
  return checkFact(message, 'The message of a commit', commitLimits.messageLength);
}

/** Instead of the name of a branch that the reader may not know. */
export const unknownBranch = '';

/** The record of one successful write on one branch. */
export interface Commit extends Author {
  /** A ULID. */
  readonly id: string;
  /** Increases over all branches of the graph, with gaps. */
  readonly seq: number;
  readonly branch: string;
  readonly parent: string | null;
  readonly mergedParent: string | null;
  /** Milliseconds since 1970. */
  readonly time: number;
  readonly counts: ChangeCounts;
  /** Whether it set or removed the schema. */
  readonly setsSchema?: true;
  /** Whether its state has been garbage-collected. */
  readonly collected?: true;
}

export function commitNotFound(id: string): TrellisError {
  return new TrellisError('COMMIT_NOT_FOUND', `The graph has no commit ${JSON.stringify(id)}.`, {
    hint: 'List the commits with commits_list or: trellis log',
    details: { commit: id },
  });
}
