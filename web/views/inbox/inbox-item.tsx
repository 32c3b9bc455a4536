import { useState } from 'preact/hooks';
import { CommitLine } from '../../parts/commit-line.js';
import { NodeLink } from '../../parts/node-link.js';
import { Text } from '../../parts/text.js';
import { Time } from '../../parts/time.js';
import { UndoDialog } from '../../parts/undo-dialog.js';
import { linkToNode } from '../../state/address.js';
import { accept } from '../../state/reviewed.js';
import { may } from '../../state/server.js';
import { EntryChanges } from './entry-changes.js';
import type { InboxEntry } from './group-changes.js';

interface Props {
  readonly entry: InboxEntry;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
}

export function InboxItem({ entry, isOpen, onToggle }: Props) {
  const { node, change, commits, keys } = entry;
  const [isUndoing, setUndoing] = useState(false);
  const [newest] = commits;
  if (newest === undefined) return null;
  return (
    <li class="entry">
      <div class="row spread">
        <div class="subject">
          {node === undefined ? (
            <CommitLine commit={newest} />
          ) : (
            <>
              <span class={`badge ${change}`}>{change}</span> <NodeLink node={node} />{' '}
              <span class="muted">
                <Text>{newest.message ?? newest.tool}</Text>
                {commits.length > 1 && ` and ${commits.length - 1} more`} · <Time at={newest.created_at} />
              </span>
            </>
          )}
        </div>
        <div class="row entry-actions">
          <button type="button" class="plain" aria-expanded={isOpen} onClick={onToggle}>
            {isOpen ? 'Hide' : 'Show'}
          </button>
          <button
            type="button"
            class="plain accept"
            onClick={({ currentTarget }) => {
              // The entry goes away, so the focus moves on to the next one.
              const next = currentTarget.closest('li')?.nextElementSibling;
              next?.querySelector<HTMLElement>('.accept')?.focus();
              accept(keys);
            }}
          >
            Accept
          </button>
          {node !== undefined && change !== 'removed' && may('change') && (
            <a href={linkToNode(node)}>Correct</a>
          )}
          {may('change') && (
            <button type="button" class="plain danger" onClick={() => setUndoing(true)}>
              Undo…
            </button>
          )}
        </div>
      </div>
      {isOpen && <EntryChanges entry={entry} />}
      {isUndoing && (
        <UndoDialog commitIds={commits.map(({ commit_id }) => commit_id)} onClose={() => setUndoing(false)} />
      )}
    </li>
  );
}
