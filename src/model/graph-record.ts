import { TrellisError } from './error.js';

/** A namespace of nodes and edges; a workspace is the same thing under its other name. */
export interface GraphRecord {
  readonly id: number;
  readonly name: string;
  readonly createdAt: number;
}

/** The id of a branch is never reused, although its name may be. */
export interface Branch {
  readonly id: number;
  readonly name: string;
  readonly parent: number | null;
  /** The seq of the parent's head when this branch was made: what it inherits ends there. */
  readonly forkSeq: number;
  /** The seq of this branch's newest commit, or its fork point while it has none. */
  readonly headSeq: number;
  /** The id of that commit; null while there is none. */
  readonly headCommit: string | null;
  /** The seq of the commit that set the schema in force at its head; null if there is none. */
  readonly schemaSeq: number | null;
  readonly createdAt: number;
}

export const mainBranch = 'main';
export const defaultGraph = 'default';

/** Says that no graph has this name, and how to make it. */
export function graphNotFound(name: string): TrellisError {
  return new TrellisError('GRAPH_NOT_FOUND', `There is no graph named ${JSON.stringify(name)}.`, {
    hint: `Create it with: trellis graph create ${name}`,
  });
}

/** Says that another graph has this name. */
export function graphExists(name: string): TrellisError {
  return new TrellisError('GRAPH_EXISTS', `A graph named ${JSON.stringify(name)} is already there.`);
}

/** Says that a graph has no such branch, and which it has, if that is known. */
export function branchNotFound(graph: string, branch: string, branches?: readonly string[]): TrellisError {
  return new TrellisError(
    'BRANCH_NOT_FOUND',
    `Graph ${JSON.stringify(graph)} has no branch ${JSON.stringify(branch)}.`,
    {
      hint: 'List the branches with branches_list or: trellis branch list',
      details: { graph, branch, ...(branches === undefined ? {} : { branches }) },
    },
  );
}

/** Says that a branch cannot be deleted, since others were forked from it. */
export function branchHasChildren(branch: string, children: readonly string[], hint: string): TrellisError {
  const were = children.length === 1 ? 'was' : 'were';
  return new TrellisError(
    'BRANCH_IN_USE',
    `${branch} cannot be deleted: ${children.join(', ')} ${were} forked from it.`,
    { hint, details: { branch, children } },
  );
}
