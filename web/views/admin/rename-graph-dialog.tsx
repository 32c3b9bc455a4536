import { useState } from 'preact/hooks';
import { Dialog } from '../../parts/dialog.js';
import { visibleText } from '../../parts/text.js';
import { goTo, graphName, linkTo } from '../../state/address.js';
import { loadGraphs } from '../../state/server.js';
import { say, sayError } from '../../state/toasts.js';
import { renameGraph } from './admin-api.js';

interface Props {
  readonly graph: string;
  readonly onClose: () => void;
}

export function RenameGraphDialog({ graph, onClose }: Props) {
  const [name, setName] = useState(graph);
  const rename = async (event: Event) => {
    event.preventDefault();
    try {
      await renameGraph(graph, name);
      if (graph === graphName.value)
        goTo(linkTo('admin', [], { graph: name, branch: 'main' }), { replace: true });
      await loadGraphs();
      say(`${graph} is now named ${name}.`);
      onClose();
    } catch (error) {
      sayError(error);
    }
  };
  return (
    <Dialog title={`Rename ${visibleText(graph)}?`} onClose={onClose}>
      <p>
        The old name stops working at once: agents and links that use it find nothing. Rules of the policy
        that name the graph apply to the new name only if they name it too.
      </p>
      <form onSubmit={rename}>
        <label>
          New name{' '}
          <input
            type="text"
            required
            value={name}
            onInput={({ currentTarget }) => setName(currentTarget.value)}
          />
        </label>
        <div class="actions">
          <button type="submit" class="primary" disabled={name === '' || name === graph}>
            Rename
          </button>
          <button type="button" onClick={onClose}>
            Cancel
          </button>
        </div>
      </form>
    </Dialog>
  );
}
