import { useState } from 'preact/hooks';
import { Text } from '../parts/text.js';
import { LineEditor } from '../views/node/line-editor.js';
import { changeFact } from './actions.js';
import { FactLine } from './fact-line.js';
import { canCallTools } from './host.js';
import { NodeButton } from './node-button.js';
import type { NodeShown } from './shown.js';
import { SmallGraph } from './small-graph.js';

const mostRelations = 40;

/** One node with everything that is known about it. */
export function NodeCard({ shown }: { readonly shown: NodeShown }) {
  const { surface, node, edges } = shown;
  const { name, type, summary, tags, facts = [] } = node;
  const [isAdding, setAdding] = useState(false);
  const listed = edges.slice(0, mostRelations);
  const page = { nodes: [node], edges: listed, warnings: [] };
  return (
    <article>
      <h1>
        <Text>{name}</Text>
        <span class="type">
          <Text>{type}</Text>
        </span>
        {tags.map((tag) => (
          <span key={tag} class="tag">
            <Text>{tag}</Text>
          </span>
        ))}
      </h1>
      {summary !== undefined && (
        <p class="stored">
          <Text>{summary}</Text>
        </p>
      )}
      <h2>Observations</h2>
      {facts.length === 0 && <p class="muted">Nothing is recorded about this node yet.</p>}
      <ul class="plain-list">
        {facts.map((fact, index) => (
          <FactLine key={fact.ordinal || index} shown={shown} fact={fact} />
        ))}
      </ul>
      {isAdding && (
        <LineEditor
          label="New observation"
          current=""
          commitId=""
          save={(text) => changeFact(shown, undefined, text)}
          check={(text) => (text.trim() === '' ? 'Write one fact.' : undefined)}
          onClose={() => setAdding(false)}
        />
      )}
      {canCallTools() && !isAdding && (
        <button type="button" onClick={() => setAdding(true)}>
          Add observation
        </button>
      )}
      {edges.length > 0 && (
        <>
          <h2>Relations</h2>
          <SmallGraph shown={{ surface, page }} />
          <ul class="plain-list">
            {listed.map(({ from, to, type: relation }) => (
              <li key={JSON.stringify([from, relation, to])}>
                <span class="relation">
                  <Text>{from === name ? `${relation} →` : `${relation} ←`}</Text>
                </span>{' '}
                <NodeButton shown={{ surface, page }} node={{ name: from === name ? to : from }} />
              </li>
            ))}
          </ul>
          {edges.length > mostRelations && <p class="muted">and {edges.length - mostRelations} more</p>}
        </>
      )}
    </article>
  );
}
