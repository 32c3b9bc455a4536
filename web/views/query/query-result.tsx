import { ScrollBox } from '../../parts/scroll-box.js';
import { Text } from '../../parts/text.js';
import { address, setParams } from '../../state/address.js';
import type { QueryAnswer } from './query-api.js';
import { ResultGraph } from './result-graph.js';
import { ResultTable } from './result-table.js';

/** Rows as a table, as JSON or as a graph, or the plan of a query. */
export function QueryResult({ answer }: { readonly answer: QueryAnswer }) {
  const { rows, columns = [], plan } = answer;
  const { as = 'table' } = address.value.params;
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
            value={as}
            onChange={({ currentTarget: { value } }) =>
              setParams({ as: value === 'table' ? undefined : value })
            }
          >
            <option value="table">table</option>
            <option value="json">JSON</option>
            <option value="graph">graph</option>
          </select>
        </label>
      </div>
      {as === 'table' && <ResultTable columns={columns} rows={rows} />}
      {as === 'graph' && <ResultGraph rows={rows} />}
      {as === 'json' && (
        <ScrollBox label="Rows as JSON">
          <pre class="stored">
            <Text>{JSON.stringify(rows, null, 2)}</Text>
          </pre>
        </ScrollBox>
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
