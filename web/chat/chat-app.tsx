import { Text } from '../parts/text.js';
import { isBusy, refusal } from './actions.js';
import { GraphResult } from './graph-result.js';
import { canFillScreen, fillScreen } from './host.js';
import { MergePreview } from './merge-preview.js';
import { NodeCard } from './node-card.js';
import { RecordCard } from './record-card.js';
import { RowsResult } from './rows-result.js';
import { SearchForm } from './search-form.js';
import { goBack, type Shown, trail } from './shown.js';

export function ChatApp() {
  const shown = trail.value.at(-1);
  return (
    <main aria-busy={isBusy.value}>
      <header class="row spread">
        {trail.value.length > 1 && (
          <button type="button" onClick={goBack}>
            Back
          </button>
        )}
        {(shown?.kind === 'graph' || shown?.kind === 'node') && <SearchForm surface={shown.surface} />}
        {canFillScreen() && (
          <button type="button" class="plain" onClick={() => void fillScreen()}>
            Full screen
          </button>
        )}
      </header>
      <div role="alert">
        {refusal.value !== undefined && (
          <p class="notice problem">
            Refused: <Text>{refusal.value}</Text>
          </p>
        )}
      </div>
      {shown === undefined ? <p class="muted">Waiting for the result…</p> : <Content shown={shown} />}
    </main>
  );
}

function Content({ shown }: { readonly shown: Shown }) {
  switch (shown.kind) {
    case 'graph':
      return <GraphResult shown={shown} />;
    case 'node':
      return <NodeCard shown={shown} />;
    case 'rows':
      return <RowsResult shown={shown} />;
    case 'record':
      return <RecordCard record={shown.record} />;
    case 'merge':
      return <MergePreview shown={shown} />;
    case 'text':
      return (
        <div class={shown.isError ? 'notice problem' : ''}>
          <h1>{shown.isError ? 'Refused' : 'Result'}</h1>
          {shown.texts.map((text, index) => (
            <p key={index} class="stored">
              <Text>{text}</Text>
            </p>
          ))}
        </div>
      );
  }
}
