import { Problem } from '../../parts/problem.js';
import { Text, visibleText } from '../../parts/text.js';
import { branchName } from '../../state/address.js';
import { ParameterForm } from './parameter-form.js';
import { parameterTexts, setParameterText } from './parameter-texts.js';
import { parameterValues } from './parameter-values.js';
import { runStoredQuery, type StoredQuery } from './query-api.js';
import { QueryResult } from './query-result.js';
import { useRun } from './use-run.js';

export function StoredForm({ query }: { readonly query: StoredQuery }) {
  const { name, description, instruction, mutation, params } = query;
  const texts = parameterTexts();
  const { outcome, isRunning, run } = useRun();
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault();
        void run(() => runStoredQuery(name, parameterValues(params, texts)));
      }}
    >
      <h2>{visibleText(name)}</h2>
      {[description, instruction].map(
        (text) =>
          text !== null && (
            <p key={text} class="stored">
              <Text>{text}</Text>
            </p>
          ),
      )}
      <ParameterForm params={params} texts={texts} onChange={setParameterText} />
      <div class="row">
        <button type="submit" class={mutation ? 'danger' : 'primary'} disabled={isRunning}>
          {mutation ? `Change the branch ${visibleText(branchName.value)}` : 'Run'}
        </button>
        {mutation && <span class="muted">What it changes becomes one commit, which you can undo.</span>}
      </div>
      {outcome.error !== undefined && <Problem error={outcome.error} />}
      {outcome.answer !== undefined && <QueryResult answer={outcome.answer} />}
    </form>
  );
}
