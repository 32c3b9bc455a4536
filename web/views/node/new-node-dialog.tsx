import { useState } from 'preact/hooks';
import { api } from '../../api/graph-api.js';
import { Dialog } from '../../parts/dialog.js';
import { goTo, graphName, linkToNode } from '../../state/address.js';
import { saveEdit } from '../../state/save-edit.js';
import { useLoad } from '../../state/use-load.js';

/** What a person knows and no agent has stored. */
export function NewNodeDialog({ onClose }: { readonly onClose: () => void }) {
  const [name, setName] = useState('');
  const [type, setType] = useState('');
  const [facts, setFacts] = useState('');
  const types = useLoad(['types', graphName.value], (signal) => api.value.types(signal), { isLive: false });
  const save = async (event: Event) => {
    event.preventDefault();
    const observations = facts.split('\n').filter((fact) => fact.trim() !== '');
    const outcome = await saveEdit({ op: 'add_node', name, type, observations }, `Added ${name}.`);
    if (outcome === 'saved') goTo(linkToNode({ name, type }));
  };
  return (
    <Dialog title="New node" onClose={onClose}>
      <form class="stack" onSubmit={save}>
        <label class="stack-label">
          Name
          <input required value={name} onInput={({ currentTarget }) => setName(currentTarget.value)} />
        </label>
        <label class="stack-label" for="new-node-type">
          Type
          <input
            id="new-node-type"
            required
            list="new-node-types"
            placeholder="such as person or project"
            value={type}
            onInput={({ currentTarget }) => setType(currentTarget.value)}
          />
        </label>
        <datalist id="new-node-types">
          {(types.data?.node_types ?? []).map((known) => (
            <option key={known.type} value={known.type} />
          ))}
        </datalist>
        <label class="stack-label">
          Observations, one on each line
          <textarea rows={4} value={facts} onInput={({ currentTarget }) => setFacts(currentTarget.value)} />
        </label>
        <div class="actions">
          <button type="submit" class="primary">
            Add
          </button>
          <button type="button" onClick={onClose}>
            Cancel
          </button>
        </div>
      </form>
    </Dialog>
  );
}
