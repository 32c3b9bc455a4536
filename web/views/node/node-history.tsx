import { useState } from 'preact/hooks';
import { api } from '../../api/graph-api.js';
import type { NodeRef } from '../../api/types.js';
import { ChangesList } from '../../parts/changes-list.js';
import { CommitLine } from '../../parts/commit-line.js';
import { Loading } from '../../parts/loading.js';
import { UndoDialog } from '../../parts/undo-dialog.js';
import { branchName, graphName } from '../../state/address.js';
import { may } from '../../state/server.js';
import { useLoad } from '../../state/use-load.js';

const pageSize = 20;

/** Every version of a node as a diff to the one before, newest first. */
export function NodeHistory({ node: { name, type } }: { readonly node: NodeRef }) {
  const [limit, setLimit] = useState(pageSize);
  const [undoing, setUndoing] = useState<string>();
  const found = useLoad(['history', graphName.value, branchName.value, name, type, limit], (signal) =>
    api.value.nodeHistory({ name, type }, { limit }, signal),
  );
  return (
    <section aria-labelledby="node-history">
      <h2 id="node-history">History</h2>
      {found.error?.status === 404 && <p class="muted">This branch never had such a node.</p>}
      <Loading from={found} isOptional>
        {({ versions, nextCursor }) => (
          <>
            <ol class="plain-list timeline">
              {versions.map(({ commit, node_changes }) => (
                <li key={commit.commit_id}>
                  <div class="row spread">
                    <CommitLine commit={commit} />
                    {may('change') && (
                      <button type="button" class="plain danger" onClick={() => setUndoing(commit.commit_id)}>
                        Undo…
                      </button>
                    )}
                  </div>
                  <ChangesList changes={node_changes} />
                </li>
              ))}
            </ol>
            {nextCursor !== undefined && (
              <button type="button" onClick={() => setLimit(limit + 5 * pageSize)}>
                Show older versions
              </button>
            )}
          </>
        )}
      </Loading>
      {undoing !== undefined && <UndoDialog commitIds={[undoing]} onClose={() => setUndoing(undefined)} />}
    </section>
  );
}
