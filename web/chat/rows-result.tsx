import { useState } from 'preact/hooks';
import { Text } from '../parts/text.js';
import { ResultTable } from '../views/query/result-table.js';
import { attempt, isBusy, openRecord } from './actions.js';
import { callTool, type ToolCall } from './call-tool.js';
import { canCallTools } from './host.js';
import { type RecordOfNode, recordIn } from './record.js';
import { type RowsShown, showInstead, toShown } from './shown.js';

/** The rows of a query, which can be changed and run again. */
export function RowsResult({ shown }: { readonly shown: RowsShown }) {
  const { columns, rows, plan, from } = shown;
  return (
    <>
      <h1>{plan === undefined ? (rows.length === 1 ? 'One row' : `${rows.length} rows`) : 'Plan'}</h1>
      {plan?.map((step) => (
        <p key={step} class="stored">
          <Text>{step}</Text>
        </p>
      ))}
      {plan === undefined && (
        <ResultTable
          columns={columns}
          rows={rows}
          linkTo={(value, column) => {
            const record = recordIn(value, column, from);
            return record && <RecordButton record={record} />;
          }}
        />
      )}
      {from?.name === 'query' && canCallTools() && (
        <QueryForm key={JSON.stringify(from)} shown={shown} from={from} />
      )}
    </>
  );
}

function RecordButton({ record }: { readonly record: RecordOfNode }) {
  return (
    <button type="button" class="plain link" onClick={() => void openRecord(record)}>
      <Text>{record.id}</Text>
    </button>
  );
}

function QueryForm({ shown, from }: { readonly shown: RowsShown; readonly from: ToolCall }) {
  const { source, query, ...rest } = from.arguments;
  const [text, setText] = useState(String(source ?? query ?? ''));
  const run = () =>
    attempt(async () => {
      const call = { ...from, arguments: { ...rest, source: text } };
      showInstead(shown, toShown(await callTool(call), call, call.arguments));
    });
  return (
    <details>
      <summary>Query</summary>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void run();
        }}
      >
        <textarea
          class="code"
          aria-label="Query"
          rows={Math.min(12, text.split('\n').length + 1)}
          value={text}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
        <div>
          <button type="submit" disabled={isBusy.value}>
            Run
          </button>
        </div>
      </form>
    </details>
  );
}
