import { useEffect, useRef, useState } from 'preact/hooks';
import { api } from '../../api/graph-api.js';
import { Loading } from '../../parts/loading.js';
import { address, branchName, graphName, setParams } from '../../state/address.js';
import { may } from '../../state/server.js';
import { startOfDay } from '../../state/start-of-day.js';
import { useLoad } from '../../state/use-load.js';
import { NewNodeDialog } from '../node/new-node-dialog.js';
import { SearchFacets } from './search-facets.js';
import { SearchResult } from './search-result.js';

const typingPauseMs = 200;
const pageSize = 50;

/** Nodes by words or meaning; without words, those that changed last. */
export function SearchView() {
  const { params } = address.value;
  const { q = '', mode, type, tag, actor, since, until, min_confidence } = params;
  const [limit, setLimit] = useState(pageSize);
  const [isAdding, setAdding] = useState(false);
  const query = {
    ...{ q, mode: q === '' ? undefined : mode, type, tag, actor, min_confidence, limit },
    since: startOfDay(since),
    until: startOfDay(until, 1),
  };
  const found = useLoad(['search', graphName.value, branchName.value, query], (signal) =>
    api.value.search(query, signal),
  );
  return (
    <>
      <h1>Search</h1>
      <SearchBox text={q} />
      <div class="columns">
        <section aria-label="Results" aria-live="polite">
          <Loading from={found}>
            {({ hits, nextCursor, warnings = [] }) => (
              <>
                {warnings.map((warning) => (
                  <p key={warning} class="notice">
                    {warning}
                  </p>
                ))}
                <div class="row spread">
                  <h2>{q === '' ? 'Recently changed' : hits.length === 0 ? 'Nothing found' : 'Found'}</h2>
                  {may('change') && (
                    <button type="button" onClick={() => setAdding(true)}>
                      New node…
                    </button>
                  )}
                </div>
                {hits.length === 0 && (
                  <p class="muted">
                    {q === '' && Object.keys(params).every((name) => name === 'branch')
                      ? 'This branch is empty. What agents store appears here, and you can add a node yourself.'
                      : 'Try fewer or other words, search by meaning, or remove a filter.'}
                  </p>
                )}
                <ol class="plain-list hits">
                  {hits.map((hit) => (
                    <SearchResult key={`${hit.type}/${hit.name}`} hit={hit} words={q} />
                  ))}
                </ol>
                {nextCursor !== undefined && (
                  <button type="button" onClick={() => setLimit(limit + 2 * pageSize)}>
                    Show more
                  </button>
                )}
              </>
            )}
          </Loading>
        </section>
        <SearchFacets />
      </div>
      {isAdding && <NewNodeDialog onClose={() => setAdding(false)} />}
    </>
  );
}

function SearchBox({ text }: { readonly text: string }) {
  const [typed, setTyped] = useState(text);
  const written = useRef(text);
  useEffect(() => {
    // Somebody followed a link to another search. What was written here may be behind what is typed by now.
    if (text !== written.current) setTyped(text);
    written.current = text;
  }, [text]);
  useEffect(() => {
    if (typed === written.current) return;
    const timer = setTimeout(() => {
      written.current = typed;
      setParams({ q: typed });
    }, typingPauseMs);
    return () => clearTimeout(timer);
  }, [typed]);
  const { mode = 'hybrid' } = address.value.params;
  return (
    <search>
      <form
        class="row search-box"
        onSubmit={(event) => {
          event.preventDefault();
          setParams({ q: typed }, { replace: false });
        }}
      >
        <input
          type="search"
          aria-label="Search for"
          placeholder="Words or a question"
          value={typed}
          onInput={({ currentTarget }) => setTyped(currentTarget.value)}
        />
        <label>
          by{' '}
          <select value={mode} onChange={({ currentTarget }) => setParams({ mode: currentTarget.value })}>
            <option value="hybrid">words and meaning</option>
            <option value="text">words</option>
            <option value="meaning">meaning</option>
          </select>
        </label>
      </form>
    </search>
  );
}
