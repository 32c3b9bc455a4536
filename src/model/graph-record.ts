import { TrellisError } from './error.js';

/** A namespace of nodes and edges, called workspace on the workspace surface. */
export interface GraphRecord {
  readonly id: number;
  readonly name: string;
  readonly createdAt: number;
}

/** Ids are never reused, names may be. */
export interface Branch {
  readonly id: number;
  readonly name: string;
  readonly parent: number | null;
  /** The seq of the parent's head when this branch was forked: it inherits nothing newer. */
  readonly forkSeq: number;
  /** The seq of its newest commit, or the fork point while it has none. */
  readonly headSeq: number;
  readonly headCommit: string | null;
  /** The seq of the commit that set the current schema; null without a schema. */
  readonly schemaSeq: number | null;
  /** How many purges have rewritten the graph's history, the same on all its branches. */
  readonly purges: number;
  readonly createdAt: number;
}

export const mainBranch = 'main';
export const defaultGraph = 'default';

/** The same for a graph that the caller has no grant on: it must look missing. */
export function graphNotFound(name: string): TrellisError {
  return new TrellisError('GRAPH_NOT_FOUND', `There is no graph named ${JSON.stringify(name)}.`, {
    hint: `Create it with: trellis graph create ${name}`,
  });
}

export function graphExists(name: string): TrellisError {
  return new TrellisError('GRAPH_EXISTS', `A graph named ${JSON.stringify(name)} already exists.`);
}

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

export function branchHasChildren(branch: string, children: readonly string[], hint: string): TrellisError {
  const were = children.length === 1 ? 'was' : 'were';
  return new TrellisError(
    'BRANCH_IN_USE',
    `${branch} cannot be deleted: ${children.join(', ')} ${were} forked from it.`,
    { hint, details: { branch, children } },
  );
}
