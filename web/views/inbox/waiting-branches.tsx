import { api } from '../../api/graph-api.js';
import { ApiError } from '../../api/request.js';
import type { Commit } from '../../api/types.js';
import { Loading } from '../../parts/loading.js';
import { Text } from '../../parts/text.js';
import { Time } from '../../parts/time.js';
import { branchName, graphName, linkTo } from '../../state/address.js';
import { branches, may } from '../../state/server.js';
import { useLoad } from '../../state/use-load.js';

interface Waiting {
  readonly name: string;
  readonly head: Commit | undefined;
  readonly hasConflicts: boolean;
}

const mostBranches = 20;

/** The branches with changes that the current branch does not have. */
export function WaitingBranches() {
  const others = branches.value.filter((name) => name !== branchName.value).slice(0, mostBranches);
  const waiting = useLoad(['waiting', graphName.value, branchName.value, others], (signal) =>
    findWaiting(others, signal),
  );
  return (
    <Loading from={waiting} isOptional>
      {(found) =>
        found.length > 0 && (
          <section aria-labelledby="waiting-branches">
            <h2 id="waiting-branches">Branches waiting for review</h2>
            <ul class="plain-list card entries">
              {found.map(({ name, head, hasConflicts }) => (
                <li key={name} class="entry row spread">
                  <span>
                    <a href={linkTo('branches', [name])}>
                      <Text>{name}</Text>
                    </a>{' '}
                    {hasConflicts && <span class="badge removed">conflicts</span>}{' '}
                    {head !== undefined && (
                      <span class="muted">
                        <Text>{head.actor_id}</Text> · <Time at={head.created_at} />
                      </span>
                    )}
                  </span>
                  <a href={linkTo('branches', [name])}>Review</a>
                </li>
              ))}
            </ul>
          </section>
        )
      }
    </Loading>
  );
}

/** Whether a branch has something new shows a dry run of its merge; without permission for it, all are listed. */
async function findWaiting(names: readonly string[], signal: AbortSignal): Promise<readonly Waiting[]> {
  const found = await Promise.all(
    names.map(async (name): Promise<Waiting | undefined> => {
      const outcome = may('branch_merge') ? await tryMerge(name, signal) : 'unknown';
      if (outcome === 'already_up_to_date') return undefined;
      const { commits } = await api.value.commits({ branch: name, limit: 1 }, signal);
      return { name, head: commits[0], hasConflicts: outcome === 'conflicts' };
    }),
  );
  return found.filter((branch) => branch !== undefined);
}

async function tryMerge(source: string, signal: AbortSignal): Promise<string> {
  try {
    const { outcome } = await api.value.post<{ readonly outcome: string }>(
      ['branches', 'merge'],
      { source, target: api.value.branch, dry_run: true },
      signal,
    );
    return outcome;
  } catch (error) {
    if (error instanceof ApiError && error.code === 'MERGE_CONFLICT') return 'conflicts';
    return 'unknown';
  }
}
