import { Loading } from '../../parts/loading.js';
import { Text, visibleText } from '../../parts/text.js';
import { address, graphName, linkTo } from '../../state/address.js';
import { may } from '../../state/server.js';
import { useLoad } from '../../state/use-load.js';
import { type StoredQuery, storedQueries } from './query-api.js';
import { StoredForm } from './stored-form.js';

/** The queries that the operator has stored, and one of them as a form. */
export function StoredPage() {
  const found = useLoad(['queries', graphName.value], storedQueries, { isLive: false });
  const [, name] = address.value.path;
  return (
    <Loading from={found}>
      {({ queries }) => {
        const offered = queries.filter(({ mutation }) => !mutation || may('change'));
        const chosen = offered.find((query) => query.name === name);
        if (offered.length === 0) return <NoQueries />;
        return (
          <div class="stored-queries">
            <QueryList queries={offered} chosen={chosen?.name} />
            {chosen !== undefined && <StoredForm key={chosen.name} query={chosen} />}
          </div>
        );
      }}
    </Loading>
  );
}

interface ListProps {
  readonly queries: readonly StoredQuery[];
  readonly chosen: string | undefined;
}

function NoQueries() {
  return (
    <p class="muted">
      There is no stored query that you may run. The operator stores them under <code>queries</code> of the
      graph in the configuration.
    </p>
  );
}

function QueryList({ queries, chosen }: ListProps) {
  return (
    <ul class="plain-list entries card">
      {queries.map(({ name, description, mutation }) => (
        <li key={name} class="entry">
          <a
            href={linkTo('query', ['stored', name])}
            {...(name === chosen ? { 'aria-current': 'true' } : {})}
          >
            {visibleText(name)}
          </a>{' '}
          {mutation && <span class="badge changed">writes</span>}
          {description !== null && (
            <p class="muted">
              <Text>{description}</Text>
            </p>
          )}
        </li>
      ))}
    </ul>
  );
}
