import { useState } from 'preact/hooks';
import { Text, valueText } from '../parts/text.js';
import { LineEditor } from '../views/node/line-editor.js';
import { correctField, isBusy } from './actions.js';
import { canCallTools } from './host.js';
import { canCorrectField, fieldProblem, type RecordOfNode } from './record.js';

/** One property, which can be corrected in place. */
export function FieldLine({ record, field }: { readonly record: RecordOfNode; readonly field: string }) {
  const [isEditing, setEditing] = useState(false);
  const value = record.fields[field];
  return (
    <li class="fact">
      <span class="stored">
        <span class="relation">
          <Text>{field}</Text>
        </span>{' '}
        {!isEditing && <Text>{valueText(value)}</Text>}
      </span>
      {isEditing && (
        <LineEditor
          label={field}
          current={valueText(value)}
          commitId=""
          save={(text) => correctField(record, field, text)}
          check={(text) => fieldProblem(value, text)}
          onClose={() => setEditing(false)}
        />
      )}
      {!isEditing && canCallTools() && canCorrectField(record, field) && (
        <button
          type="button"
          class="plain"
          aria-label={`Correct ${field}`}
          disabled={isBusy.value}
          onClick={() => setEditing(true)}
        >
          Correct
        </button>
      )}
    </li>
  );
}
