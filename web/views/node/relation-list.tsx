import { useState } from 'preact/hooks';
import type { Edge, NodePage } from '../../api/types.js';
import { NodeLink } from '../../parts/node-link.js';
import { Text } from '../../parts/text.js';
import { saveEdit } from '../../state/save-edit.js';
import { may } from '../../state/server.js';
import { AddRelation } from './add-relation.js';
import { BlameNote } from './blame-note.js';
import { edgeOperation } from './edit-operations.js';

const shownFirst = 100;

/** The edges of a node in both directions. */
export function RelationList({ page: { node, edges } }: { readonly page: NodePage }) {
  const [isAdding, setAdding] = useState(false);
  return (
    <section aria-labelledby="relations">
      <div class="row spread">
        <h2 id="relations">Relations</h2>
        {may('change') && !isAdding && (
          <button type="button" onClick={() => setAdding(true)}>
            Add relation
          </button>
        )}
      </div>
      {edges.out.length + edges.in.length === 0 && !isAdding && (
        <p class="muted">This node is not connected to any other.</p>
      )}
      <Direction edges={edges.out} isOut />
      <Direction edges={edges.in} isOut={false} />
      {isAdding && <AddRelation node={node} onClose={() => setAdding(false)} />}
    </section>
  );
}

interface DirectionProps {
  readonly edges: readonly Edge[];
  readonly isOut: boolean;
}

function Direction({ edges, isOut }: DirectionProps) {
  const [shown, setShown] = useState(shownFirst);
  if (edges.length === 0) return null;
  return (
    <>
      <ul class="plain-list lines" aria-label={isOut ? 'Outgoing relations' : 'Incoming relations'}>
        {edges.slice(0, shown).map((edge) => (
          <RelationLine key={keyOf(edge)} edge={edge} isOut={isOut} />
        ))}
      </ul>
      {edges.length > shown && (
        <button type="button" onClick={() => setShown(shown + 400)}>
          Show more ({edges.length - shown})
        </button>
      )}
    </>
  );
}

function RelationLine({ edge, isOut }: { readonly edge: Edge; readonly isOut: boolean }) {
  const { from, to, type, key, weight } = edge;
  const other = isOut ? to : from;
  return (
    <li class="line">
      <span class="ordinal">
        {isOut ? '' : '← '}
        <Text>{type}</Text>
        {isOut ? ' →' : ''}
      </span>
      <span>
        <NodeLink node={other} />
        {key !== undefined && key !== '' && (
          <span class="muted">
            {' '}
            <Text>{key}</Text>
          </span>
        )}
        {weight !== undefined && weight !== 1 && <span class="muted"> weight {weight}</span>}
      </span>
      <BlameNote blame={edge.blame} />
      {may('change') && (
        <span class="line-actions">
          <button
            type="button"
            class="plain danger"
            aria-label={`Delete relation ${type} ${isOut ? 'to' : 'from'} ${other.name}`}
            onClick={() =>
              saveEdit(edgeOperation('delete_edge', edge), `Deleted the relation ${type} to ${to.name}.`)
            }
          >
            Delete
          </button>
        </span>
      )}
    </li>
  );
}

function keyOf({ from, to, type, key }: Edge): string {
  return JSON.stringify([from, to, type, key]);
}
