import { useState } from 'preact/hooks';
import { EditForm } from '../../parts/edit-form.js';
import { Text } from '../../parts/text.js';
import type { SaveOutcome } from '../../state/save-edit.js';

interface Props {
  readonly label: string;
  /** What the line says on the server now; it may change while somebody edits. */
  readonly current: string;
  /** The last commit of the node now. */
  readonly commitId: string | undefined;
  /** Saves the text, unless the node changed after that commit. */
  readonly save: (text: string, ifCommit: string | undefined) => Promise<SaveOutcome>;
  readonly onClose: () => void;
  readonly check?: (text: string) => string | undefined;
}

/** Edits one line in place. If somebody was faster, it shows both versions and lets the reader decide. */
export function LineEditor({ label, current, commitId, save, onClose, check }: Props) {
  const [text, setText] = useState(current);
  const [opened, setOpened] = useState({ current, commitId });
  const [outcome, setOutcome] = useState<SaveOutcome>();
  const [isBusy, setBusy] = useState(false);
  const problem = check?.(text);
  const submit = async (ifCommit: string | undefined) => {
    if (problem !== undefined || isBusy) return;
    setBusy(true);
    const saved = await save(text, ifCommit);
    setBusy(false);
    setOutcome(saved);
    if (saved === 'saved') onClose();
  };
  const isSameLine = opened.current === current;
  return (
    <EditForm class="line-editor" onSubmit={() => void submit(opened.commitId)} onClose={onClose}>
      <textarea
        aria-label={label}
        rows={Math.min(12, Math.max(2, Math.ceil(text.length / 90)))}
        value={text}
        onInput={({ currentTarget }) => setText(currentTarget.value)}
      />
      {problem !== undefined && <p class="notice problem">{problem}</p>}
      {outcome === 'changed' && (
        <div class="notice problem" role="alert">
          <p>Somebody changed this node while you were editing. Nothing was saved.</p>
          {isSameLine ? (
            <p>This line is still the same.</p>
          ) : (
            <p class="stored">
              It now says: <Text>{current}</Text>
            </p>
          )}
          <button
            type="button"
            onClick={() => {
              setOpened({ current, commitId });
              void submit(commitId);
            }}
          >
            Save mine anyway
          </button>
        </div>
      )}
      <div class="row">
        <button type="submit" class="primary" disabled={isBusy || problem !== undefined}>
          Save
        </button>
        <button type="button" onClick={onClose}>
          Cancel
        </button>
        <span class="muted">Ctrl+Enter saves, Esc cancels</span>
      </div>
    </EditForm>
  );
}
