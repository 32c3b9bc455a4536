import { useState } from 'preact/hooks';
import type { GraphNode } from '../../api/types.js';
import { EditForm } from '../../parts/edit-form.js';
import { saveEdit } from '../../state/save-edit.js';
import { jsonProblem, updateOf } from './edit-operations.js';

export function AddProperty({ node, onClose }: { readonly node: GraphNode; readonly onClose: () => void }) {
  const [name, setName] = useState('');
  const [kind, setKind] = useState('text');
  const [text, setText] = useState('');
  const problem = kind === 'json' && text !== '' ? jsonProblem(text) : undefined;
  const submit = async () => {
    if (problem !== undefined) return;
    const value: unknown = kind === 'json' ? JSON.parse(text) : text;
    const saved = await saveEdit(
      updateOf(node, { props: { [name]: value } }, node.commit_id),
      `Added ${name}.`,
    );
    if (saved === 'saved') onClose();
  };
  return (
    <EditForm class="row inline-form" onSubmit={() => void submit()} onClose={onClose}>
      <label class="stack-label">
        Name
        <input required value={name} onInput={({ currentTarget }) => setName(currentTarget.value)} />
      </label>
      <label class="stack-label">
        Kind
        <select value={kind} onChange={({ currentTarget }) => setKind(currentTarget.value)}>
          <option value="text">text</option>
          <option value="json">number, list or other JSON</option>
        </select>
      </label>
      <label class="stack-label">
        Value
        <input required value={text} onInput={({ currentTarget }) => setText(currentTarget.value)} />
      </label>
      <button type="submit" class="primary" disabled={problem !== undefined}>
        Save
      </button>
      <button type="button" onClick={onClose}>
        Cancel
      </button>
      {problem !== undefined && <p class="notice problem">{problem}</p>}
    </EditForm>
  );
}
