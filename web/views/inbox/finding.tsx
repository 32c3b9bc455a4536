import { useState } from 'preact/hooks';
import { api } from '../../api/graph-api.js';
import type { NodeRef } from '../../api/types.js';
import { NodeLink } from '../../parts/node-link.js';
import { UndoDialog } from '../../parts/undo-dialog.js';
import { linkToNode } from '../../state/address.js';
import { dismiss } from '../../state/reviewed.js';
import { may } from '../../state/server.js';
import { sayError } from '../../state/toasts.js';

interface Props {
  /** What the browser remembers if the reader accepts it. */
  readonly id: string;
  readonly nodes: readonly NodeRef[];
  /** What the first node has to do with the others. */
  readonly note?: string;
}

export function Finding({ id, nodes, note }: Props) {
  return (
    <li class="entry">
      {nodes.map((node, index) => (
        <div key={`${node.type}/${node.name}`} class="row spread">
          <div class="subject">
            <NodeLink node={node} /> {index === 0 && <span class="muted">{note}</span>}
          </div>
          <div class="row entry-actions">
            {index === 0 && (
              <button type="button" class="plain" onClick={() => dismiss(id)}>
                Accept
              </button>
            )}
            {may('change') && <a href={linkToNode(node, { edit: true })}>Correct</a>}
            {may('change') && <UndoLast node={node} />}
          </div>
        </div>
      ))}
    </li>
  );
}

/** Undoes the commit that changed the node last. */
function UndoLast({ node }: { readonly node: NodeRef }) {
  const [commit, setCommit] = useState<string>();
  const find = async () => {
    try {
      setCommit((await api.value.node(node)).node.commit_id);
    } catch (error) {
      sayError(error);
    }
  };
  return (
    <>
      <button type="button" class="plain danger" onClick={find}>
        Undo last change
      </button>
      {commit !== undefined && <UndoDialog commitIds={[commit]} onClose={() => setCommit(undefined)} />}
    </>
  );
}
