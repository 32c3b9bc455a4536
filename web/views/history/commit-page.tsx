import { useState } from 'preact/hooks';
import { api } from '../../api/graph-api.js';
import { ChangesList } from '../../parts/changes-list.js';
import { summaryOf } from '../../parts/commit-line.js';
import { Loading } from '../../parts/loading.js';
import { Text } from '../../parts/text.js';
import { Time } from '../../parts/time.js';
import { UndoDialog } from '../../parts/undo-dialog.js';
import { graphName, linkTo } from '../../state/address.js';
import { may } from '../../state/server.js';
import { useLoad } from '../../state/use-load.js';

/** One commit as a diff. */
export function CommitPage({ id }: { readonly id: string }) {
  const found = useLoad(['commit', graphName.value, id], (signal) => api.value.commit(id, signal), {
    isLive: false,
  });
  const [isUndoing, setUndoing] = useState(false);
  return (
    <>
      <p>
        <a href={linkTo('history')}>History</a>
      </p>
      <Loading from={found}>
        {({ changes, ...commit }) => (
          <>
            <div class="row spread">
              <h1>
                <Text>{commit.message ?? summaryOf(commit)}</Text>
              </h1>
              {may('change') && (
                <button type="button" class="danger" onClick={() => setUndoing(true)}>
                  Undo…
                </button>
              )}
            </div>
            <dl class="facts">
              <dt>By</dt>
              <dd>
                <a href={linkTo('history', [], { actor: commit.actor_id })}>
                  <Text>{commit.actor_id}</Text>
                </a>
                {commit.client !== undefined && (
                  <>
                    {' '}
                    with <Text>{commit.client}</Text>
                  </>
                )}
              </dd>
              <dt>Tool</dt>
              <dd>
                <Text>{commit.tool}</Text>
              </dd>
              <dt>When</dt>
              <dd>
                <Time at={commit.created_at} />
              </dd>
              <dt>Branch</dt>
              <dd>
                <Text>{commit.branch ?? ''}</Text>
              </dd>
              <dt>Changes</dt>
              <dd>{summaryOf(commit)}</dd>
              <dt>Commit</dt>
              <dd class="code">{commit.commit_id}</dd>
            </dl>
            <ChangesList changes={changes} />
            {isUndoing && <UndoDialog commitIds={[commit.commit_id]} onClose={() => setUndoing(false)} />}
          </>
        )}
      </Loading>
    </>
  );
}
