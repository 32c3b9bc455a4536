import { useRef } from 'preact/hooks';
import { api } from '../../api/graph-api.js';
import type { Commit } from '../../api/types.js';
import { Loading } from '../../parts/loading.js';
import { branchName, graphName } from '../../state/address.js';
import { acceptUpTo, reviewAgain, reviewed } from '../../state/reviewed.js';
import { access } from '../../state/server.js';
import { useLoad } from '../../state/use-load.js';
import { ActorSection } from './actor-section.js';
import { FindingsSection } from './findings-section.js';
import { groupChanges } from './group-changes.js';
import { RejectedWrites } from './rejected-writes.js';
import { UnknownNames } from './unknown-names.js';
import { WaitingBranches } from './waiting-branches.js';

const mostCommits = 100;
const ownTools = ['edit', 'gate_schema_add', 'gate_schema_remove', 'undo', 'branches_merge'];

/** What happened since the reader last looked, and what waits for a decision. */
export function InboxView() {
  const { seq, time, accepted } = reviewed.value;
  const recent = useLoad(['recent', graphName.value, branchName.value, time], (signal) =>
    api.value.recent({ since: time, limit: mostCommits }, signal),
  );
  // What takes the server longer waits until the changes are shown.
  const isShown = useRef(false);
  isShown.current ||= !recent.isLoading;
  return (
    <>
      <h1>Inbox</h1>
      <WaitingBranches />
      <RejectedWrites />
      <Loading from={recent}>
        {({ changes, nextCursor }) => {
          const groups = groupChanges(changes, { reviewedSeq: seq, accepted, isOwn });
          const newest = changes[0]?.commit;
          const count = groups.reduce((sum, { entries }) => sum + entries.length, 0);
          return (
            <section aria-labelledby="new-changes">
              <div class="row spread">
                <h2 id="new-changes">
                  {count === 0 ? 'Nothing new' : `${count} ${count === 1 ? 'change' : 'changes'} to review`}
                </h2>
                {count > 0 && newest !== undefined && (
                  <button type="button" onClick={() => acceptUpTo(newest)}>
                    Accept all
                  </button>
                )}
              </div>
              {count === 0 && (
                <p class="muted">
                  {changes.length === 0 && time === undefined ? (
                    <>
                      Nothing has been written to this branch yet. What agents write appears here. To look
                      around first, load a sample memory with <code>trellis demo</code>.
                    </>
                  ) : (
                    'You have reviewed everything on this branch.'
                  )}{' '}
                  {time !== undefined && (
                    <button type="button" class="plain" onClick={reviewAgain}>
                      Show reviewed changes again
                    </button>
                  )}
                </p>
              )}
              {groups.map((group) => (
                <ActorSection key={group.actor} group={group} />
              ))}
              {nextCursor !== undefined && (
                <p class="muted">These are the newest {mostCommits} commits. The history has older ones.</p>
              )}
            </section>
          );
        }}
      </Loading>
      {isShown.current && (
        <>
          <UnknownNames />
          <FindingsSection />
        </>
      )}
    </>
  );
}

function isOwn({ actor_id, tool }: Commit): boolean {
  return actor_id === access.value?.actor_id && ownTools.includes(tool);
}
