import { ScrollBox } from '../../parts/scroll-box.js';
import { Text } from '../../parts/text.js';
import { address, setParams } from '../../state/address.js';
import type { QueryAnswer } from './query-api.js';
import { ResultTable } from './result-table.js';

/** Rows as a table or as JSON, or the plan of a query. */
export function QueryResult({ answer }: { readonly answer: QueryAnswer }) {
  const { rows, columns = [], plan } = answer;
  const isJson = address.value.params['as'] === 'json';
  if (plan !== undefined) return <Plan steps={plan} />;
  if (rows === undefined) return null;
  return (
    <section aria-labelledby="result">
      <div class="row spread">
        <h2 id="result" aria-live="polite">
          {rows.length === 1 ? 'One row' : `${rows.length.toLocaleString()} rows`}
        </h2>
        <label>
          Show as{' '}
          <select
            value={isJson ? 'json' : 'table'}
            onChange={({ currentTarget: { value } }) =>
              setParams({ as: value === 'json' ? value : undefined })
            }
          >
            <option value="table">table</option>
            <option value="json">JSON</option>
          </select>
        </label>
      </div>
      {isJson ? (
        <ScrollBox label="Rows as JSON">
          <pre class="stored">
            <Text>{JSON.stringify(rows, null, 2)}</Text>
          </pre>
        </ScrollBox>
      ) : (
        <ResultTable columns={columns} rows={rows} />
      )}
    </section>
  );
}

function Plan({ steps }: { readonly steps: readonly string[] }) {
  return (
    <section aria-labelledby="plan">
      <h2 id="plan">How it would run</h2>
      <ScrollBox label="Plan">
        <pre class="stored">
          <Text>{steps.join('\n')}</Text>
        </pre>
      </ScrollBox>
    </section>
  );
}
