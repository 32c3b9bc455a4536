import type { Blame } from '../../api/types.js';
import { Text } from '../../parts/text.js';
import { Time } from '../../parts/time.js';
import { linkTo } from '../../state/address.js';

/** Who put something there, when and how sure they were. */
export function BlameNote({ blame }: { readonly blame: Blame | undefined }) {
  if (blame?.commit_id === undefined) return <span class="blame" />;
  const {
    commit_id,
    actor_id = '',
    at = '',
    tool = '',
    client,
    source,
    confidence,
    extraction_method,
    derived_from,
  } = blame;
  const details = [
    `by ${actor_id}`,
    `tool ${tool}`,
    ...(client === undefined ? [] : [`client ${client}`]),
    ...(extraction_method === undefined ? [] : [extraction_method]),
    ...(derived_from === undefined ? [] : [`derived from ${derived_from.join(' and ')}`]),
  ].join(', ');
  return (
    <span class="blame muted" title={details}>
      <a href={linkTo('history', [commit_id])}>
        <Text>{actor_id}</Text> · <Time at={at} />
      </a>
      {confidence !== undefined && <> · {confidence.toFixed(2)}</>}
      {source !== undefined && (
        <>
          {' '}
          · <Text>{source}</Text>
        </>
      )}
    </span>
  );
}
