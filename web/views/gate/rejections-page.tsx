import { useState } from 'preact/hooks';
import { Loading } from '../../parts/loading.js';
import { ParamInput } from '../../parts/param-input.js';
import { Text } from '../../parts/text.js';
import { Time } from '../../parts/time.js';
import { address, branchName, graphName } from '../../state/address.js';
import { startOfDay } from '../../state/start-of-day.js';
import { useLoad } from '../../state/use-load.js';
import { type Rejection, rejections } from './gate-api.js';

const pageSize = 50;

/** Writes that the gate refused, newest first. */
export function RejectionsPage() {
  const [limit, setLimit] = useState(pageSize);
  const { code, since } = address.value.params;
  const query = { code, since: startOfDay(since), limit };
  const found = useLoad(['rejections', graphName.value, branchName.value, query], (signal) =>
    rejections(query, signal),
  );
  return (
    <>
      <fieldset class="row bare" aria-label="Filters">
        <ParamInput name="code" label="Error code" />
        <ParamInput name="since" label="From" kind="date" />
      </fieldset>
      <Loading from={found}>
        {({ rejections: list, nextCursor }) => (
          <>
            {list.length === 0 && <p class="muted">No rejected writes.</p>}
            <ul class="plain-list entries card" hidden={list.length === 0}>
              {list.map((rejection) => (
                <RejectionItem key={rejection.id} rejection={rejection} />
              ))}
            </ul>
            {nextCursor !== undefined && (
              <button type="button" onClick={() => setLimit(Math.min(limit + 4 * pageSize, 1_000))}>
                Show more
              </button>
            )}
          </>
        )}
      </Loading>
    </>
  );
}

function RejectionItem({ rejection }: { readonly rejection: Rejection }) {
  const { code, tool, actor_id, at, message, arguments: given } = rejection;
  return (
    <li class="entry">
      <div>
        <span class="badge removed">{code}</span>{' '}
        <b>
          <Text>{actor_id}</Text>
        </b>{' '}
        <span class="muted">
          <Text>{tool}</Text> · <Time at={at} />
        </span>
      </div>
      <p class="stored">
        <Text>{message}</Text>
      </p>
      <details>
        <summary>What was sent</summary>
        <pre class="stored">
          <Text>{JSON.stringify(given, null, 2)}</Text>
        </pre>
      </details>
    </li>
  );
}
