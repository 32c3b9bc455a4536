import { useState } from 'preact/hooks';
import { api } from '../../api/graph-api.js';
import type { GraphNode, NodeRef } from '../../api/types.js';
import { EditForm } from '../../parts/edit-form.js';
import { NodePicker } from '../../parts/node-picker.js';
import { graphName } from '../../state/address.js';
import { saveEdit } from '../../state/save-edit.js';
import { useLoad } from '../../state/use-load.js';
import { edgeOperation } from './edit-operations.js';

export function AddRelation({ node, onClose }: { readonly node: GraphNode; readonly onClose: () => void }) {
  const [type, setType] = useState('');
  const [other, setOther] = useState<NodeRef>();
  const [isOut, setOut] = useState(true);
  const types = useLoad(['types', graphName.value], (signal) => api.value.types(signal), { isLive: false });
  const submit = async () => {
    if (other === undefined) return;
    const ends = isOut ? { from: node, to: other } : { from: other, to: node };
    const saved = await saveEdit(edgeOperation('add_edge', { ...ends, type }), `Added the relation ${type}.`);
    if (saved === 'saved') onClose();
  };
  return (
    <EditForm class="row inline-form" onSubmit={() => void submit()} onClose={onClose}>
      <label class="stack-label">
        Direction
        <select
          value={isOut ? 'out' : 'in'}
          onChange={({ currentTarget }) => setOut(currentTarget.value === 'out')}
        >
          <option value="out">from this node</option>
          <option value="in">to this node</option>
        </select>
      </label>
      <label class="stack-label" for="relation-type">
        Relation
        <input
          id="relation-type"
          required
          list="relation-types"
          value={type}
          onInput={({ currentTarget }) => setType(currentTarget.value)}
        />
      </label>
      <datalist id="relation-types">
        {(types.data?.edge_types ?? []).map((known) => (
          <option key={known.type} value={known.type} />
        ))}
      </datalist>
      <NodePicker label="Other node" onPick={setOther} />
      <button type="submit" class="primary" disabled={other === undefined}>
        Save
      </button>
      <button type="button" onClick={onClose}>
        Cancel
      </button>
    </EditForm>
  );
}
