import { useState } from 'preact/hooks';
import { api } from '../../api/graph-api.js';
import type { NodePage } from '../../api/types.js';
import { Loading } from '../../parts/loading.js';
import { Text } from '../../parts/text.js';
import { Time } from '../../parts/time.js';
import { address, branchName, graphName, linkTo, setParams } from '../../state/address.js';
import { may } from '../../state/server.js';
import { useLoad } from '../../state/use-load.js';
import { BlameNote } from './blame-note.js';
import { DeleteNodeDialog } from './delete-node-dialog.js';
import { EditNodeDialog } from './edit-node-dialog.js';
import { NodeHistory } from './node-history.js';
import { ObservationList } from './observation-list.js';
import { PathFinder } from './path-finder.js';
import { PropertyList } from './property-list.js';
import { RelationList } from './relation-list.js';

/** One node: what is known, who said so, and how it came to be. */
export function NodeView() {
  const [type = '', name = ''] = address.value.path;
  const found = useLoad(['node', graphName.value, branchName.value, type, name], (signal) =>
    api.value.node({ type, name }, signal),
  );
  if (name === '')
    return (
      <p class="notice">
        The address of a node has its type and its name:{' '}
        <a href={linkTo('search', [], { q: type })}>search for it</a>.
      </p>
    );
  // A deleted node still has a history, from which it can be brought back.
  if (found.error?.status === 404) {
    return (
      <>
        <h1>
          <Text>{name}</Text>
        </h1>
        <p class="notice">
          There is no such node on this branch. It may have another name or type:{' '}
          <a href={linkTo('search', [], { q: name })}>search for it</a>. If it was deleted, its history is
          below.
        </p>
        <NodeHistory node={{ type, name }} />
      </>
    );
  }
  return <Loading from={found}>{(page) => <NodeBody page={page} />}</Loading>;
}

function NodeBody({ page }: { readonly page: NodePage }) {
  const { node } = page;
  const [isDeleting, setDeleting] = useState(false);
  const isEditing = address.value.params['edit'] !== undefined && may('change');
  return (
    <article>
      <NodeHeader page={page} onDelete={() => setDeleting(true)} />
      <ObservationList node={node} />
      <PropertyList node={node} />
      <RelationList page={page} />
      <PathFinder node={node} />
      <NodeHistory node={node} />
      {isEditing && <EditNodeDialog node={node} onClose={() => setParams({ edit: undefined })} />}
      {isDeleting && <DeleteNodeDialog page={page} onClose={() => setDeleting(false)} />}
    </article>
  );
}

function NodeHeader({
  page: { node },
  onDelete,
}: {
  readonly page: NodePage;
  readonly onDelete: () => void;
}) {
  const { name, type, summary, tags = [], blame, created_at, updated_at } = node;
  return (
    <header>
      <div class="row spread">
        <h1>
          <Text>{name}</Text>
          <span class="type">
            <Text>{type}</Text>
          </span>
        </h1>
        <div class="row">
          <a href={linkTo('graph', [type, name])}>Graph</a>
          {may('change') && (
            <>
              <button type="button" onClick={() => setParams({ edit: true })}>
                Edit
              </button>
              <button type="button" class="danger" onClick={onDelete}>
                Delete…
              </button>
            </>
          )}
        </div>
      </div>
      {summary !== undefined && (
        <p class="stored">
          <Text>{summary}</Text> <BlameNote blame={blame?.summary} />
        </p>
      )}
      <p class="muted">
        {tags.map((tag) => (
          <a key={tag} class="tag" href={linkTo('search', [], { tag })}>
            <Text>{tag}</Text>
          </a>
        ))}{' '}
        created <Time at={created_at} />, changed <Time at={updated_at} />
      </p>
    </header>
  );
}
