import { useState } from 'preact/hooks';
import { Text } from '../parts/text.js';
import { LineEditor } from '../views/node/line-editor.js';
import { changeFact, isBusy } from './actions.js';
import type { Fact } from './graph-page.js';
import { canCallTools } from './host.js';
import { shortLabel } from './short-label.js';
import type { NodeShown } from './shown.js';
import { surfaces } from './surfaces.js';

const labelLength = 60;

/** One fact, which can be corrected in place. */
export function FactLine({ shown, fact }: { readonly shown: NodeShown; readonly fact: Fact }) {
  const [isEditing, setEditing] = useState(false);
  const { text } = fact;
  if (isEditing) {
    return (
      <li class="fact">
        <LineEditor
          label="Observation"
          current={text}
          commitId=""
          save={(edited) => changeFact(shown, fact, edited)}
          check={(edited) => (edited.trim() === '' ? 'Write one fact.' : undefined)}
          onClose={() => setEditing(false)}
        />
      </li>
    );
  }
  const label = shortLabel(text, labelLength);
  return (
    <li class="fact">
      <span class="stored">
        <Text>{text}</Text>
      </span>
      {canCallTools() && surfaces[shown.surface].canCorrect(fact) && (
        <span>
          <button
            type="button"
            class="plain"
            aria-label={`Correct “${label}”`}
            disabled={isBusy.value}
            onClick={() => setEditing(true)}
          >
            Correct
          </button>
          <button
            type="button"
            class="plain danger"
            aria-label={`Delete “${label}”`}
            disabled={isBusy.value}
            onClick={() => void changeFact(shown, fact, undefined)}
          >
            Delete
          </button>
        </span>
      )}
    </li>
  );
}
