import { useState } from 'preact/hooks';
import type { GraphNode } from '../../api/types.js';
import { Text, valueText } from '../../parts/text.js';
import { saveEdit } from '../../state/save-edit.js';
import { may } from '../../state/server.js';
import { AddProperty } from './add-property.js';
import { BlameNote } from './blame-note.js';
import { jsonProblem, updateOf } from './edit-operations.js';
import { LineEditor } from './line-editor.js';

export function PropertyList({ node }: { readonly node: GraphNode }) {
  const props = Object.entries(node.props ?? {});
  const [isAdding, setAdding] = useState(false);
  if (props.length === 0 && !may('change')) return null;
  return (
    <section aria-labelledby="properties">
      <div class="row spread">
        <h2 id="properties">Properties</h2>
        {may('change') && !isAdding && (
          <button type="button" onClick={() => setAdding(true)}>
            Add property
          </button>
        )}
      </div>
      {props.length === 0 && !isAdding && <p class="muted">None.</p>}
      <ul class="plain-list lines">
        {props.map(([property, value]) => (
          <PropertyLine key={property} node={node} property={property} value={value} />
        ))}
      </ul>
      {isAdding && <AddProperty node={node} onClose={() => setAdding(false)} />}
    </section>
  );
}

interface LineProps {
  readonly node: GraphNode;
  readonly property: string;
  readonly value: unknown;
}

function PropertyLine({ node, property, value }: LineProps) {
  const [isEditing, setEditing] = useState(false);
  const isText = typeof value === 'string';
  const set = (given: unknown, ifCommit: string | undefined, done: string) =>
    saveEdit(updateOf(node, { props: { [property]: given } }, ifCommit), done);
  return (
    <li class="line">
      <span class="ordinal">
        <Text>{property}</Text>
      </span>
      {isEditing ? (
        <LineEditor
          label={`Property ${property}`}
          current={valueText(value)}
          commitId={node.commit_id}
          save={(text, ifCommit) => set(isText ? text : JSON.parse(text), ifCommit, `Changed ${property}.`)}
          {...(isText ? {} : { check: jsonProblem })}
          onClose={() => setEditing(false)}
        />
      ) : (
        <>
          <span class="stored">
            <Text>{valueText(value)}</Text>
          </span>
          <BlameNote blame={node.blame?.props?.[property]} />
          {may('change') && (
            <span class="line-actions">
              <button
                type="button"
                class="plain"
                aria-label={`Edit ${property}`}
                onClick={() => setEditing(true)}
              >
                Edit
              </button>
              <button
                type="button"
                class="plain danger"
                aria-label={`Delete ${property}`}
                onClick={() => set(null, node.commit_id, `Deleted ${property}.`)}
              >
                Delete
              </button>
            </span>
          )}
        </>
      )}
    </li>
  );
}
