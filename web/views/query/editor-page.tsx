import { Waiting } from '../../parts/loading.js';
import { Problem } from '../../parts/problem.js';
import { visibleText } from '../../parts/text.js';
import { address, branchName, setParams } from '../../state/address.js';
import { may } from '../../state/server.js';
import { CodeEditor } from './code-editor.js';
import { exampleQuery } from './example-query.js';
import { ParameterForm } from './parameter-form.js';
import { parameterTexts, setParameterText } from './parameter-texts.js';
import { parameterValues } from './parameter-values.js';
import { parseQueryHeads } from './parse-query-heads.js';
import { explainQuery, problemsIn, runMutation, runQuery } from './query-api.js';
import { QueryResult } from './query-result.js';
import { useKnownNames } from './use-known-names.js';
import { useProblems } from './use-problems.js';
import { useRun } from './use-run.js';
import { useSource } from './use-source.js';

/** Write a query, see its mistakes, fill in its parameters, run it. */
export function EditorPage() {
  const names = useKnownNames();
  const [source, setSource] = useSource(exampleQuery(names));
  const heads = parseQueryHeads(source);
  const head = heads.find(({ name }) => name === address.value.params['name']) ?? heads[0];
  const isMutation = head?.mutation === true;
  const texts = parameterTexts();
  const { outcome, isRunning, run } = useRun();
  const checked = useProblems(source, head);
  const reported = outcome.error === undefined ? [] : problemsIn(outcome.error);
  const request = () => ({ source, name: head?.name, params: parameterValues(head?.params ?? [], texts) });
  const isOff = isRunning || head === undefined || (isMutation && !may('change'));
  const start = () => {
    if (!isOff) void run(() => (isMutation ? runMutation : runQuery)(request()));
  };
  // Whoever starts to type must not find an example in the middle of it.
  if (source === '' && !names.isKnown) return <Waiting />;
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault();
        start();
      }}
    >
      <CodeEditor
        source={source}
        problems={isMutation ? reported : checked}
        names={names}
        onInput={setSource}
        onRun={start}
      />
      {heads.length > 1 && (
        <label>
          Query to run{' '}
          <select
            value={head?.name ?? ''}
            onChange={({ currentTarget }) => setParams({ name: currentTarget.value })}
          >
            {heads.map(({ name }) => (
              <option key={name} value={name}>
                {visibleText(name)}
              </option>
            ))}
          </select>
        </label>
      )}
      <ParameterForm params={head?.params ?? []} texts={texts} onChange={setParameterText} />
      <div class="row">
        <button type="submit" class={isMutation ? 'danger' : 'primary'} disabled={isOff}>
          {isMutation ? `Change the branch ${visibleText(branchName.value)}` : 'Run'}
        </button>
        {!isMutation && (
          <button type="button" disabled={isOff} onClick={() => void run(() => explainQuery(request()))}>
            Explain
          </button>
        )}
        <span class="muted">
          {isMutation
            ? 'This query writes. What it changes becomes one commit, which you can undo.'
            : 'Ctrl+Enter runs, Ctrl+Space completes.'}
        </span>
      </div>
      {outcome.error !== undefined && reported.length === 0 && <Problem error={outcome.error} />}
      {outcome.answer !== undefined && <QueryResult answer={outcome.answer} />}
    </form>
  );
}
