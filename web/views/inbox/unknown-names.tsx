import { Loading } from '../../parts/loading.js';
import { Text } from '../../parts/text.js';
import { graphName, linkTo } from '../../state/address.js';
import { may } from '../../state/server.js';
import { useLoad } from '../../state/use-load.js';
import { type DriftedName, drift } from '../gate/gate-api.js';

const mostNames = 5;

/** Names that agents use and the gate does not know; the gate view offers the rule that lets each in. */
export function UnknownNames() {
  const isOffered = may('read') && (may('gate_write') || may('schema_apply'));
  const found = useLoad(
    ['drift', graphName.value, isOffered],
    async (signal): Promise<readonly DriftedName[]> => {
      if (!isOffered) return [];
      const { labels, relationship_types } = await drift(signal);
      return [...labels, ...relationship_types];
    },
    // Rejections, not commits, bring new ones.
    { isLive: false },
  );
  return (
    <Loading from={found} isOptional>
      {(names) =>
        names.length > 0 && (
          <section aria-labelledby="unknown-names">
            <h2 id="unknown-names">Names that the gate does not know</h2>
            <ul class="plain-list card entries">
              {names.slice(0, mostNames).map(({ name, count }) => (
                <li key={name} class="entry row spread">
                  <span>
                    <Text>{name}</Text>{' '}
                    <span class="muted">used {count === 1 ? 'once' : `${count} times`}</span>
                  </span>
                  <a href={linkTo('gate')}>Decide</a>
                </li>
              ))}
            </ul>
          </section>
        )
      }
    </Loading>
  );
}
