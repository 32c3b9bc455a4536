import { useState } from 'preact/hooks';
import { Dialog } from '../../parts/dialog.js';
import { Text, visibleText } from '../../parts/text.js';
import { branchName } from '../../state/address.js';
import { noteChange } from '../../state/live.js';
import { say, sayError } from '../../state/toasts.js';
import { addRule, type Rule } from './gate-api.js';

/** Says what a rule does before it is added. */
export function RuleDialog({ rule, onClose }: { readonly rule: Rule; readonly onClose: () => void }) {
  const [isBusy, setBusy] = useState(false);
  const [newName = rule.name] = rule.absorbs ?? [];
  const add = async () => {
    setBusy(true);
    try {
      const { commit_id } = await addRule(rule);
      say(
        commit_id === null
          ? 'The registry has this rule already.'
          : `The gate now lets ${visibleText(newName)} in.`,
        { undoes: commit_id ?? undefined },
      );
      noteChange();
      onClose();
    } catch (error) {
      sayError(error);
      setBusy(false);
    }
  };
  return (
    <Dialog title={`Let ${visibleText(newName)} in?`} onClose={onClose}>
      <p>
        <Effect rule={rule} />
      </p>
      <ul>
        <li>
          The rule becomes one commit on the branch <Text>{branchName.value}</Text>. Undo it to go back.
        </li>
        <li>Writes that were rejected stay rejected. An agent that sends one again succeeds.</li>
        <li>What is stored already does not change.</li>
      </ul>
      <footer>
        <button type="button" class="primary" disabled={isBusy} onClick={add}>
          Add the rule
        </button>
        <button type="button" onClick={onClose}>
          Cancel
        </button>
      </footer>
    </Dialog>
  );
}

function Effect({ rule: { kind, name, absorbs = [] } }: { readonly rule: Rule }) {
  if (absorbs.length > 0) {
    return (
      <>
        What agents write as <Text>{absorbs.join(', ')}</Text> is stored as <Text>{name}</Text>, under the
        rules of <Text>{name}</Text>.
      </>
    );
  }
  return kind === 'node' ? (
    <>
      Agents may write nodes labelled <Text>{name}</Text>, with any properties.
    </>
  ) : (
    <>
      Agents may write relationships of the type <Text>{name}</Text> between nodes of any label, with any
      properties.
    </>
  );
}
