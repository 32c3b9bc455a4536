import type { Commit } from './commit.js';
import { TrellisError } from './error.js';

/** A node or edge that a refused write would have touched, and that was touched since the commit it names. */
export type ChangedSince =
  | { readonly kind: 'node'; readonly type: string; readonly name: string }
  | {
      readonly kind: 'edge';
      readonly type: string;
      readonly from: string;
      readonly to: string;
      readonly key?: string;
    };

interface HeadMoved {
  readonly branch: string;
  /** The commit that the write names. */
  readonly expected: string;
  readonly head: Pick<Commit, 'id' | 'actor' | 'time'> | null;
  /** Left out if the branch never had that commit, or the write cannot be done any more. */
  readonly changed?: readonly ChangedSince[] | undefined;
}

/** As many as an error lists. */
const maxListed = 100;
const maxNamed = 5;

/** A write that names a commit found another head of the branch. */
export function headMoved({ branch, expected, head, changed }: HeadMoved): TrellisError {
  const hint =
    'Nothing was written. Read again, and repeat the write with the new head if it still makes sense.';
  const now =
    head === null
      ? 'has no commit yet, so it is'
      : `is at ${head.id}, by ${head.actor} at ${new Date(head.time).toISOString()},`;
  const more = (changed?.length ?? 0) - maxListed;
  return new TrellisError(
    'HEAD_MOVED',
    `The branch ${JSON.stringify(branch)} ${now} not at ${expected}.${describeChanged(changed)}`,
    {
      hint,
      details: {
        expected,
        head: head?.id ?? null,
        ...(changed === undefined ? {} : { changed: changed.slice(0, maxListed) }),
        ...(more > 0 ? { more } : {}),
      },
      withoutRead: { message: `The branch ${JSON.stringify(branch)} is not at ${expected}.`, hint },
    },
  );
}

function describeChanged(changed: readonly ChangedSince[] | undefined): string {
  if (changed === undefined) return '';
  if (changed.length === 0) return ' Nothing that this write touches was changed since.';
  const named = changed.slice(0, maxNamed).map(nameOf).join(', ');
  const more = changed.length > maxNamed ? ` and ${changed.length - maxNamed} more` : '';
  return ` Changed since, of what this write touches: ${named}${more}.`;
}

function nameOf(one: ChangedSince): string {
  return one.kind === 'node'
    ? `${one.type} ${JSON.stringify(one.name)}`
    : `${one.type} ${one.from} -> ${one.to}`;
}
