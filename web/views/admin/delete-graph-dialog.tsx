import { useState } from 'preact/hooks';
import { Dialog } from '../../parts/dialog.js';
import { Text, visibleText } from '../../parts/text.js';
import { goTo, graphName, linkTo } from '../../state/address.js';
import { graphs, loadGraphs } from '../../state/server.js';
import { say, sayError } from '../../state/toasts.js';
import { deleteGraph } from './admin-api.js';

interface Props {
  readonly graph: string;
  readonly onClose: () => void;
}

/** Nothing brings a graph back, so its name has to be typed. */
export function DeleteGraphDialog({ graph, onClose }: Props) {
  const [typed, setTyped] = useState('');
  const remove = async (event: Event) => {
    event.preventDefault();
    if (typed !== graph) return;
    try {
      await deleteGraph(graph);
      const [other] = (graphs.value ?? []).filter((name) => name !== graph);
      if (graph === graphName.value && other !== undefined)
        goTo(linkTo('admin', [], { graph: other, branch: 'main' }), { replace: true });
      await loadGraphs();
      say(`Deleted the graph ${graph}.`);
      onClose();
    } catch (error) {
      sayError(error);
    }
  };
  return (
    <Dialog title={`Delete ${visibleText(graph)}?`} onClose={onClose}>
      <p>
        This deletes all nodes, relations, branches and the whole history of <Text>{graph}</Text>.{' '}
        <b>It cannot be undone.</b> To keep a copy, run <code>trellis export</code> or{' '}
        <code>trellis backup</code> first.
      </p>
      <form onSubmit={remove}>
        <label>
          Type its name to confirm{' '}
          <input
            type="text"
            autocomplete="off"
            value={typed}
            onInput={({ currentTarget }) => setTyped(currentTarget.value)}
          />
        </label>
        <div class="actions">
          <button type="submit" class="danger" disabled={typed !== graph}>
            Delete the graph
          </button>
          <button type="button" onClick={onClose}>
            Cancel
          </button>
        </div>
      </form>
    </Dialog>
  );
}
