import { useState } from 'preact/hooks';
import type { GraphNode, Observation } from '../../api/types.js';
import { Text } from '../../parts/text.js';
import { saveEdit } from '../../state/save-edit.js';
import { may } from '../../state/server.js';
import { BlameNote } from './blame-note.js';
import { LineEditor } from './line-editor.js';

/** The observations of a node, each with its ordinal and blame. */
export function ObservationList({ node }: { readonly node: GraphNode }) {
  const [isAdding, setAdding] = useState(false);
  const { name, type, observations } = node;
  return (
    <section aria-labelledby="observations">
      <div class="row spread">
        <h2 id="observations">Observations</h2>
        {may('change') && !isAdding && (
          <button type="button" onClick={() => setAdding(true)}>
            Add observation
          </button>
        )}
      </div>
      {observations.length === 0 && !isAdding && (
        <p class="muted">Nothing is recorded about this node yet.</p>
      )}
      <ul class="plain-list lines">
        {observations.map((observation) => (
          <ObservationLine key={observation.ordinal} node={node} observation={observation} />
        ))}
      </ul>
      {isAdding && (
        <LineEditor
          label="New observation"
          current=""
          commitId={node.commit_id}
          save={(text) =>
            saveEdit({ op: 'add_observations', name, type, texts: [text] }, 'Added an observation.')
          }
          check={(text) => (text.trim() === '' ? 'Write one fact.' : undefined)}
          onClose={() => setAdding(false)}
        />
      )}
    </section>
  );
}

function ObservationLine({
  node,
  observation,
}: {
  readonly node: GraphNode;
  readonly observation: Observation;
}) {
  const { ordinal, text, blame } = observation;
  const { name, type, commit_id: if_commit } = node;
  const [isEditing, setEditing] = useState(false);
  if (isEditing) {
    return (
      <li class="line">
        <span class="ordinal">#{ordinal}</span>
        <LineEditor
          label={`Observation ${ordinal}`}
          current={text}
          commitId={if_commit}
          save={(edited, ifCommit) =>
            saveEdit(
              { op: 'replace_observation', name, type, ordinal, text: edited, if_commit: ifCommit },
              `Changed observation ${ordinal}.`,
            )
          }
          onClose={() => setEditing(false)}
        />
      </li>
    );
  }
  return (
    <li class="line">
      <span class="ordinal">#{ordinal}</span>
      <span class="stored">
        <Text>{text}</Text>
      </span>
      <BlameNote blame={blame} />
      {may('change') && (
        <span class="line-actions">
          <button
            type="button"
            class="plain"
            aria-label={`Edit observation ${ordinal}`}
            onClick={() => setEditing(true)}
          >
            Edit
          </button>
          <button
            type="button"
            class="plain danger"
            aria-label={`Delete observation ${ordinal}`}
            onClick={() =>
              saveEdit(
                { op: 'delete_observations', name, type, ordinals: [ordinal], if_commit },
                `Deleted observation ${ordinal}.`,
              )
            }
          >
            Delete
          </button>
        </span>
      )}
    </li>
  );
}
