import type { Commit } from '../api/types.js';
import { linkTo } from '../state/address.js';
import { Text } from './text.js';
import { Time } from './time.js';

/** Who committed what, when and how, in one line. */
export function CommitLine({ commit }: { readonly commit: Commit }) {
  return (
    <span class="commit-line">
      <b>
        <Text>{commit.actor_id}</Text>
      </b>{' '}
      <a href={linkTo('history', [commit.commit_id])}>
        <Text>{commit.message ?? summaryOf(commit)}</Text>
      </a>{' '}
      <span class="muted">
        <Text>{commit.tool}</Text>
        {commit.client !== undefined && (
          <>
            {' '}
            by <Text>{commit.client}</Text>
          </>
        )}{' '}
        · <Time at={commit.created_at} />
      </span>
    </span>
  );
}

/** Such as "2 nodes added, 1 relation removed". */
export function summaryOf({ counts, schema_changed, merged_parent_commit_id }: Commit): string {
  const kinds = [
    ['node', counts.nodes],
    ['observation', counts.observations],
    ['relation', counts.edges],
  ] as const;
  const parts = kinds.flatMap(([what, { created, updated, deleted }]) =>
    [
      [created, 'added'],
      [updated, 'changed'],
      [deleted, 'removed'],
    ].flatMap(([count, verb]) => (count === 0 ? [] : [`${count} ${what}${count === 1 ? '' : 's'} ${verb}`])),
  );
  if (schema_changed) parts.unshift('schema changed');
  const text = parts.length === 0 ? 'no changes' : parts.join(', ');
  return merged_parent_commit_id === null ? text : `merge: ${text}`;
}
