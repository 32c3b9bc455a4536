import { useState } from 'preact/hooks';
import type { GraphNode } from '../../api/types.js';
import { Dialog } from '../../parts/dialog.js';
import { goTo, linkToNode } from '../../state/address.js';
import { saveEdit } from '../../state/save-edit.js';
import { updateOf } from './edit-operations.js';

/** Name, type, summary and tags of a node. */
export function EditNodeDialog({
  node,
  onClose,
}: {
  readonly node: GraphNode;
  readonly onClose: () => void;
}) {
  const [opened] = useState(node);
  const [name, setName] = useState(node.name);
  const [type, setType] = useState(node.type);
  const [summary, setSummary] = useState(node.summary ?? '');
  const [tags, setTags] = useState((node.tags ?? []).join(', '));
  const [isStale, setStale] = useState(false);
  const submit = async (ifCommit: string | undefined) => {
    const list = tags.split(',').map((tag) => tag.trim());
    const set = {
      ...(name === opened.name ? {} : { name }),
      ...(type === opened.type ? {} : { type }),
      ...(summary === (opened.summary ?? '') ? {} : { summary: summary === '' ? null : summary }),
      ...(tags === (opened.tags ?? []).join(', ') ? {} : { tags: list.filter((tag) => tag !== '') }),
    };
    if (Object.keys(set).length === 0) return onClose();
    const outcome = await saveEdit(updateOf(opened, set, ifCommit), `Changed ${name}.`);
    setStale(outcome === 'changed');
    if (outcome !== 'saved') return;
    onClose();
    if (name !== opened.name || type !== opened.type) goTo(linkToNode({ name, type }), { replace: true });
  };
  return (
    <Dialog title="Edit node" onClose={onClose}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void submit(opened.commit_id);
        }}
      >
        <label class="stack-label">
          Name
          <input required value={name} onInput={({ currentTarget }) => setName(currentTarget.value)} />
        </label>
        <label class="stack-label">
          Type
          <input required value={type} onInput={({ currentTarget }) => setType(currentTarget.value)} />
        </label>
        <label class="stack-label">
          Summary
          <textarea
            rows={3}
            value={summary}
            onInput={({ currentTarget }) => setSummary(currentTarget.value)}
          />
        </label>
        <label class="stack-label">
          Tags, separated by commas
          <input value={tags} onInput={({ currentTarget }) => setTags(currentTarget.value)} />
        </label>
        {isStale && (
          <div class="notice problem" role="alert">
            <p>Somebody changed this node while you were editing. Nothing was saved.</p>
            <button type="button" onClick={() => submit(node.commit_id)}>
              Save mine anyway
            </button>
          </div>
        )}
        <div class="actions">
          <button type="submit" class="primary">
            Save
          </button>
          <button type="button" onClick={onClose}>
            Cancel
          </button>
        </div>
      </form>
    </Dialog>
  );
}
