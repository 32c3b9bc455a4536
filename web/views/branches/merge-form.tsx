import { useState } from 'preact/hooks';
import { api } from '../../api/graph-api.js';
import { Dialog } from '../../parts/dialog.js';
import { Text } from '../../parts/text.js';
import { goTo, linkTo } from '../../state/address.js';
import { noteChange } from '../../state/live.js';
import { loadGraph, may } from '../../state/server.js';
import { say, sayError } from '../../state/toasts.js';

interface Props {
  readonly source: string;
  readonly target: string;
  /** The changes to take; undefined for all. */
  readonly take: readonly string[] | undefined;
  readonly resolutions: readonly object[];
  readonly unresolved: number;
  /** Without any, the branch can only be discarded. */
  readonly hasChanges: boolean;
}

export function MergeForm({ source, target, take, resolutions, unresolved, hasChanges }: Props) {
  const [message, setMessage] = useState('');
  const [deletes, setDeletes] = useState(may('branch_delete'));
  const [isDiscarding, setDiscarding] = useState(false);
  const merge = async (event: Event) => {
    event.preventDefault();
    try {
      const { commit_id } = await api.value.post<{ readonly commit_id?: string }>(['branches', 'merge'], {
        ...{ source, target, resolutions, delete_branch: deletes },
        ...(take === undefined ? {} : { take }),
        ...(message === '' ? {} : { message }),
      });
      await finish(`Merged ${source} into ${target}.`, commit_id);
    } catch (error) {
      sayError(error);
    }
  };
  const discard = async () => {
    try {
      await api.value.delete(['branches', source]);
      await finish(`Deleted the branch ${source}.`);
    } catch (error) {
      sayError(error);
    }
  };
  const finish = async (done: string, undoes?: string) => {
    // First of all, so that it takes nobody away from where they went meanwhile.
    goTo(linkTo('branches', [], { branch: target }));
    say(done, { undoes });
    noteChange();
    await loadGraph();
  };
  return (
    <form class="card stack" onSubmit={merge}>
      {hasChanges && (
        <label class="stack-label">
          Message (optional)
          <input
            maxLength={1_000}
            value={message}
            onInput={({ currentTarget }) => setMessage(currentTarget.value)}
          />
        </label>
      )}
      {hasChanges && may('branch_delete') && (
        <label>
          <input type="checkbox" checked={deletes} onChange={() => setDeletes(!deletes)} /> Delete{' '}
          <Text>{source}</Text> after merging
        </label>
      )}
      <div class="row">
        {hasChanges && (
          <button type="submit" class="primary" disabled={unresolved > 0 || take?.length === 0}>
            Merge into <Text>{target}</Text>
          </button>
        )}
        {may('branch_delete') && (
          <button type="button" class="danger" onClick={() => setDiscarding(true)}>
            Discard branch…
          </button>
        )}
        {unresolved > 0 && (
          <span class="muted">
            Choose a side for {unresolved === 1 ? 'one more conflict' : `${unresolved} more conflicts`}.
          </span>
        )}
      </div>
      {isDiscarding && (
        <Dialog title="Discard this branch?" onClose={() => setDiscarding(false)}>
          <p>
            Deletes the branch <Text>{source}</Text> with every change on it that was not merged. This cannot
            be undone.
          </p>
          <footer>
            <button type="button" class="danger" onClick={discard}>
              Delete the branch
            </button>
            <button type="button" onClick={() => setDiscarding(false)}>
              Cancel
            </button>
          </footer>
        </Dialog>
      )}
    </form>
  );
}
