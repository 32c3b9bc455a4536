import type { NodePage } from '../../api/types.js';
import { Dialog } from '../../parts/dialog.js';
import { Text } from '../../parts/text.js';
import { saveEdit } from '../../state/save-edit.js';

export function DeleteNodeDialog({
  page,
  onClose,
}: {
  readonly page: NodePage;
  readonly onClose: () => void;
}) {
  const { node, edges } = page;
  const relations = edges.in.length + edges.out.length;
  const remove = async () => {
    const { name, type, commit_id: if_commit } = node;
    await saveEdit({ op: 'delete_node', name, type, if_commit }, `Deleted ${name}.`);
    onClose();
  };
  return (
    <Dialog title="Delete this node?" onClose={onClose}>
      <p>
        Deletes <Text>{node.name}</Text> with {count(node.observations.length, 'observation')} and{' '}
        {count(relations, 'relation')}. The history keeps it, and you can undo it.
      </p>
      <footer>
        <button type="button" class="danger" onClick={remove}>
          Delete
        </button>
        <button type="button" onClick={onClose}>
          Cancel
        </button>
      </footer>
    </Dialog>
  );
}

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? '' : 's'}`;
}
