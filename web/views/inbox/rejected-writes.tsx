import { Loading } from '../../parts/loading.js';
import { Text } from '../../parts/text.js';
import { Time } from '../../parts/time.js';
import { branchName, graphName, linkTo } from '../../state/address.js';
import { reviewed } from '../../state/reviewed.js';
import { may } from '../../state/server.js';
import { useLoad } from '../../state/use-load.js';
import { rejections } from '../gate/gate-api.js';

const shown = 3;
const most = 50;

/** What the gate refused since the reader last looked. */
export function RejectedWrites() {
  return may('gate_write') || may('schema_apply') ? <RejectedList /> : null;
}

function RejectedList() {
  const { time } = reviewed.value;
  const found = useLoad(['rejections', graphName.value, branchName.value, time], (signal) =>
    rejections({ since: time, limit: most }, signal),
  );
  return (
    <Loading from={found} isOptional>
      {({ rejections: list, nextCursor }) =>
        list.length > 0 && (
          <section aria-labelledby="rejected">
            <div class="row spread">
              <h2 id="rejected">
                The gate rejected {nextCursor === undefined ? count(list.length) : `more than ${count(most)}`}
              </h2>
              <span class="row">
                <a href={linkTo('gate', ['rejections'])}>See all</a>
                <a href={linkTo('gate')}>Let some in</a>
              </span>
            </div>
            <ul class="plain-list entries card">
              {list.slice(0, shown).map(({ id, actor_id, message, at }) => (
                <li key={id} class="entry subject">
                  <b>
                    <Text>{actor_id}</Text>
                  </b>{' '}
                  <Text>{message}</Text>{' '}
                  <span class="muted">
                    · <Time at={at} />
                  </span>
                </li>
              ))}
            </ul>
          </section>
        )
      }
    </Loading>
  );
}

function count(writes: number): string {
  return writes === 1 ? 'one write' : `${writes} writes`;
}
