import { useState } from 'preact/hooks';
import { api } from '../api/graph-api.js';
import type { Undone } from '../api/types.js';
import { noteChange } from '../state/live.js';
import { say, sayError } from '../state/toasts.js';
import { useLoad } from '../state/use-load.js';
import { ChangesList } from './changes-list.js';
import { Dialog } from './dialog.js';
import { Loading } from './loading.js';

interface Props {
  readonly commitIds: readonly string[];
  readonly onClose: () => void;
}

/** Shows what undoing would change before anything happens. */
export function UndoDialog({ commitIds, onClose }: Props) {
  const [isBusy, setBusy] = useState(false);
  const preview = useLoad(['undo', commitIds], () => api.value.undo(commitIds, { dryRun: true }), {
    isLive: false,
  });
  const undo = async () => {
    setBusy(true);
    try {
      const { commit_id } = await api.value.undo(commitIds);
      say(`Undid ${count(commitIds.length)}.`, { undoes: commit_id ?? undefined });
      noteChange();
      onClose();
    } catch (error) {
      sayError(error);
      setBusy(false);
    }
  };
  return (
    <Dialog title={`Undo ${count(commitIds.length)}?`} onClose={onClose}>
      <p class="muted">A new commit on this branch takes the changes back. The history keeps both.</p>
      <div class="scroll">
        <Loading from={preview}>
          {({ undone }) => (
            <>
              {undone.map(({ changes, left, more = 0 }, index) => (
                <div key={index}>
                  <ChangesList changes={changes} />
                  <LeftOut left={left} />
                  {more > 0 && <p class="muted">And {more} more.</p>}
                </div>
              ))}
            </>
          )}
        </Loading>
      </div>
      <footer>
        <button type="button" class="danger" disabled={isBusy || preview.data === undefined} onClick={undo}>
          Undo
        </button>
        <button type="button" onClick={onClose}>
          Cancel
        </button>
      </footer>
    </Dialog>
  );
}

function LeftOut({ left = [] }: { readonly left: Undone['undone'][number]['left'] }) {
  if (left.length === 0) return null;
  return (
    <p class="notice">
      {left.length === 1 ? 'One change stays' : `${left.length} changes stay`}, because somebody changed the
      same thing later.
    </p>
  );
}

function count(commits: number): string {
  return commits === 1 ? 'this commit' : `${commits} commits`;
}
