import { z } from 'zod';
import type { Commit } from '../../model/commit.js';
import { TrellisError } from '../../model/error.js';
import { changesOutput } from '../../surfaces/graph/graph-changes-shapes.js';
import { commitOutput } from '../../surfaces/graph/graph-shapes.js';
import { branchesOutput } from '../../surfaces/graph/people/people-branches.js';
import type { Changes } from '../history/format-diff.js';
import { commitFromOutput } from './commit-from-output.js';
import type { GraphTools } from './graph-tools.js';

const pageSize = 500;

const nextCursor = z.string().optional();

const commitsPage = z.object({ commits: z.array(commitOutput), nextCursor });

const versionsPage = z.object({
  versions: z.array(z.object({ commit: commitOutput, node_changes: changesOutput })),
  nextCursor,
});

const changesPage = commitOutput.extend({ changes: changesOutput, nextCursor });

export interface RemoteVersion {
  readonly commit: Commit;
  readonly changes?: Changes;
}

export type RemoteCommit = Required<RemoteVersion>;

interface VersionFilter {
  readonly branch: string;
  readonly actor?: string | undefined;
  readonly since?: number | undefined;
  readonly limit: number;
}

export async function findRemoteCommits(
  tools: GraphTools,
  { since, limit, ...filter }: VersionFilter,
): Promise<RemoteVersion[]> {
  const from = since === undefined ? undefined : new Date(since).toISOString();
  return collectPages(limit, async (page) => {
    const answer = await tools.call('commits_list', { ...filter, ...page, since: from }, commitsPage);
    return { ...answer, items: answer.commits.map((commit) => ({ commit: commitFromOutput(commit) })) };
  });
}

/** Each with what it changed of the node. */
export async function findRemoteVersions(
  tools: GraphTools,
  {
    actor,
    since = 0,
    limit,
    ...node
  }: VersionFilter & { readonly name: string; readonly type?: string | undefined },
): Promise<RemoteVersion[]> {
  return collectPages(limit, async (page) => {
    const answer = await tools.call('people_history', { ...node, ...page }, versionsPage);
    const items = answer.versions.map(({ commit, node_changes: changes }) => ({
      commit: commitFromOutput(commit),
      // Nothing is known of a commit that was collected.
      ...(changes.nodes.length + changes.edges.length === 0 ? {} : { changes }),
    }));
    return {
      ...answer,
      items: items.filter(({ commit }) => commit.time >= since && commit.actor === (actor ?? commit.actor)),
    };
  });
}

interface Page<T> {
  readonly items: readonly T[];
  readonly nextCursor?: string | undefined;
}

export async function collectPages<T>(
  limit: number,
  read: (page: { readonly limit: number; readonly cursor: string | undefined }) => Promise<Page<T>>,
): Promise<T[]> {
  const found: T[] = [];
  let cursor: string | undefined;
  do {
    const page = await read({ limit: Math.min(limit, pageSize), cursor });
    found.push(...page.items);
    cursor = page.nextCursor;
  } while (cursor !== undefined && found.length < limit);
  return found.slice(0, limit);
}

/** @param ref A branch, for its newest commit, or the id of a commit. */
export async function showRemoteCommit(tools: GraphTools, ref: string): Promise<RemoteCommit> {
  const { branches } = await tools.call('people_branches', {}, branchesOutput);
  const branch = branches.find(({ name }) => name === ref);
  if (branch?.head === null) throw noCommits(ref);
  const args = { commit_id: branch?.head ?? ref };
  const { changes, nextCursor: next, ...commit } = await tools.call('commits_get', args, changesPage);
  let all: Changes = changes;
  for (let cursor = next; cursor !== undefined; ) {
    const page = await tools.call('commits_get', { ...args, cursor }, changesPage);
    all = {
      ...all,
      nodes: [...all.nodes, ...page.changes.nodes],
      edges: [...all.edges, ...page.changes.edges],
    };
    cursor = page.nextCursor;
  }
  return { commit: commitFromOutput(commit), changes: all };
}

export function noCommits(branch: string): TrellisError {
  return new TrellisError('COMMIT_NOT_FOUND', `The branch ${branch} has no commits yet.`);
}
