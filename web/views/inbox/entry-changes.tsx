import { api } from '../../api/graph-api.js';
import type { Changes, NodeRef } from '../../api/types.js';
import { ChangesList } from '../../parts/changes-list.js';
import { CommitLine } from '../../parts/commit-line.js';
import { Loading } from '../../parts/loading.js';
import { useLoad } from '../../state/use-load.js';
import type { InboxEntry } from './group-changes.js';

/** What the commits of an entry did to its node. */
export function EntryChanges({ entry: { node, commits } }: { readonly entry: InboxEntry }) {
  const ids = commits.map(({ commit_id }) => commit_id);
  const found = useLoad(
    ['commits', ids],
    (signal) => Promise.all(ids.map((id) => api.value.commit(id, signal))),
    { isLive: false },
  );
  return (
    <Loading from={found}>
      {(shown) => (
        <>
          {shown.map(({ changes, ...commit }) => (
            <div key={commit.commit_id} class="entry-commit">
              {shown.length > 1 && <CommitLine commit={commit} />}
              <ChangesList changes={node === undefined ? changes : changesOf(node, changes)} />
            </div>
          ))}
        </>
      )}
    </Loading>
  );
}

function changesOf({ name, type }: NodeRef, { nodes, edges }: Changes): Changes {
  return {
    nodes: nodes.filter((node) => node.name === name && node.type === type),
    edges: edges.filter(({ from, to }) => from === name || to === name),
  };
}
