import { useState } from 'preact/hooks';
import { api } from '../../api/graph-api.js';
import { ApiError } from '../../api/request.js';
import type { Conflict } from '../../api/types.js';
import { Loading } from '../../parts/loading.js';
import { Text } from '../../parts/text.js';
import { branchName, defaultBranch, graphName, linkTo } from '../../state/address.js';
import { may } from '../../state/server.js';
import { useLoad } from '../../state/use-load.js';
import { branchChanges, idsOf } from './branch-changes.js';
import { ConflictList, conflictKey, type Side } from './conflict-list.js';
import { MergeForm } from './merge-form.js';
import { TakeList } from './take-list.js';

interface Trial {
  readonly outcome: 'already_up_to_date' | 'fast_forward' | 'merged' | 'conflicts';
  readonly conflicts: readonly Conflict[];
}

/** What a branch would bring into the current one, and the decision about it. */
export function MergeReview({ source }: { readonly source: string }) {
  const target = branchName.value === source ? defaultBranch : branchName.value;
  const key = [graphName.value, source, target];
  const changes = useLoad(['changes', ...key], (signal) => branchChanges(api.value, source, target, signal));
  const trial = useLoad(['trial', ...key], (signal) => tryMerge(source, target, signal));
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const [sides, setSides] = useState<ReadonlyMap<string, Side>>(new Map());
  const conflicts = trial.data?.conflicts ?? [];
  return (
    <>
      <p>
        <a href={linkTo('branches')}>Branches</a>
      </p>
      <h1>
        Merge <Text>{source}</Text> into <Text>{target}</Text>
      </h1>
      <Loading from={trial} isOptional>
        {({ outcome }) => (
          <>
            {outcome === 'already_up_to_date' && (
              <p class="notice">
                Nothing to merge: <Text>{target}</Text> already has everything of <Text>{source}</Text>.
              </p>
            )}
            {conflicts.length > 0 && (
              <ConflictList
                conflicts={conflicts}
                sides={sides}
                source={source}
                target={target}
                onChoose={(chosen) => setSides(new Map([...sides, ...chosen]))}
              />
            )}
          </>
        )}
      </Loading>
      <Loading from={changes}>
        {(found) => (
          <>
            <TakeList changes={found} left={left} onLeave={setLeft} />
            {may('branch_merge') && trial.data !== undefined && (
              <MergeForm
                hasChanges={trial.data.outcome !== 'already_up_to_date'}
                source={source}
                target={target}
                take={left.size === 0 ? undefined : idsOf(found).filter((id) => !left.has(id))}
                resolutions={conflicts.flatMap((conflict) => {
                  const take = sides.get(conflictKey(conflict));
                  const { id, property } = conflict;
                  return take === undefined
                    ? []
                    : [{ id, take, ...(property === undefined ? {} : { property }) }];
                })}
                unresolved={
                  conflicts.filter((conflict) => !left.has(conflict.id) && !sides.has(conflictKey(conflict)))
                    .length
                }
              />
            )}
          </>
        )}
      </Loading>
    </>
  );
}

async function tryMerge(source: string, target: string, signal: AbortSignal): Promise<Trial> {
  try {
    const { outcome } = await api.value.post<Pick<Trial, 'outcome'>>(
      ['branches', 'merge'],
      { source, target, dry_run: true },
      signal,
    );
    return { outcome, conflicts: [] };
  } catch (error) {
    if (!(error instanceof ApiError) || error.body.conflicts === undefined) throw error;
    return { outcome: 'conflicts', conflicts: error.body.conflicts };
  }
}
