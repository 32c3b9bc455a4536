import { useState } from 'preact/hooks';
import { api } from '../../api/graph-api.js';
import type { Commit } from '../../api/types.js';
import { CommitLine } from '../../parts/commit-line.js';
import { Loading } from '../../parts/loading.js';
import { ParamInput } from '../../parts/param-input.js';
import { address, branchName, graphName } from '../../state/address.js';
import { startOfDay } from '../../state/start-of-day.js';
import { useLoad } from '../../state/use-load.js';

const pageSize = 50;

export function CommitList() {
  const [limit, setLimit] = useState(pageSize);
  const { actor, tool, since, until } = address.value.params;
  const query = { actor, tool, since: startOfDay(since), until: startOfDay(until, 1), limit };
  const found = useLoad(['commits', graphName.value, branchName.value, query], (signal) =>
    api.value.commits(query, signal),
  );
  return (
    <>
      <h1>History</h1>
      <fieldset class="row bare" aria-label="Filters">
        <ParamInput name="actor" label="Actor" />
        <ParamInput name="tool" label="Tool" />
        <ParamInput name="since" label="From" kind="date" />
        <ParamInput name="until" label="Until" kind="date" />
      </fieldset>
      <Loading from={found}>
        {({ commits, nextCursor }) => (
          <>
            {commits.length === 0 && (
              <p class="muted">
                {[actor, tool, since, until].some((filter) => filter !== undefined)
                  ? 'No commit matches. Remove a filter, or choose another branch.'
                  : 'Nothing has been written to this branch yet. Every change becomes a commit here.'}
              </p>
            )}
            {byDay(commits).map(([day, ofDay]) => (
              <section key={day}>
                <h2>{day}</h2>
                <ul class="plain-list entries card">
                  {ofDay.map((commit) => (
                    <li key={commit.commit_id} class="entry">
                      <CommitLine commit={commit} />
                    </li>
                  ))}
                </ul>
              </section>
            ))}
            {nextCursor !== undefined && (
              <button type="button" onClick={() => setLimit(Math.min(limit + 4 * pageSize, 1_000))}>
                Show more
              </button>
            )}
          </>
        )}
      </Loading>
    </>
  );
}

const dayFormat = new Intl.DateTimeFormat(undefined, { dateStyle: 'full' });

function byDay(commits: readonly Commit[]): readonly (readonly [string, readonly Commit[]])[] {
  const days = new Map<string, Commit[]>();
  for (const commit of commits) {
    const day = dayFormat.format(new Date(commit.created_at));
    days.set(day, [...(days.get(day) ?? []), commit]);
  }
  return [...days];
}
