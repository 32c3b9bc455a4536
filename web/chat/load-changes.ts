import type { Changes } from '../api/types.js';
import { newestShared } from '../views/branches/branch-changes.js';
import { callTool, RefusedError } from './call-tool.js';
import { isRecord } from './host-link.js';

const mostCommits = 1_000;

/** What a branch changed since it and the target were the same. */
export async function loadChanges(source: string, target: string): Promise<Changes> {
  const [ours = [], theirs = []] = await Promise.all([target, source].map(commitsOf));
  const from = newestShared(ours, theirs) ?? target;
  const { structured } = await callTool({ name: 'diff', arguments: { from, to: source } });
  const changes = structured?.['changes'];
  if (isChanges(changes)) return changes;
  throw new RefusedError('The server sent something that is not a diff.');
}

async function commitsOf(branch: string): Promise<readonly { readonly commit_id: string }[]> {
  const call = { name: 'commits_list', arguments: { branch, limit: mostCommits } };
  const { commits } = (await callTool(call)).structured ?? {};
  return Array.isArray(commits) ? commits.filter(isCommit) : [];
}

function isCommit(value: unknown): value is { readonly commit_id: string } {
  return isRecord(value) && typeof value['commit_id'] === 'string';
}

function isChanges(value: unknown): value is Changes {
  return isRecord(value) && Array.isArray(value['nodes']) && Array.isArray(value['edges']);
}
