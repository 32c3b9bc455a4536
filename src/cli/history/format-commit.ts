import { authorOf, type Commit, unknownBranch } from '../../model/commit.js';
import { note, pluralize } from '../print.js';
import { printable, quoteForTerminal } from './printable.js';

export function commitAsJson(commit: Commit): object {
  const { id, branch, parent, mergedParent, time, counts, setsSchema, collected } = commit;
  return {
    ...{
      id,
      ...(branch === unknownBranch ? {} : { branch }),
      parent,
      merged_parent: mergedParent,
      ...authorOf(commit),
      time: new Date(time).toISOString(),
    },
    counts: Object.fromEntries(Object.entries(counts).map(([name, count]) => [snakeCase(name), count])),
    ...(setsSchema === true ? { schema_changed: setsSchema } : {}),
    ...(collected === true ? { collected } : {}),
  };
}

/** A list without lines would leave the reader guessing. */
export function noteNoCommits(isFiltered: boolean): void {
  note(
    isFiltered
      ? 'no commit matches'
      : 'nothing has been written here yet; --graph names another graph, and trellis graph list lists them',
  );
}

export function formatCommitLine(commit: Commit): string {
  const { id, branch, actor, tool, client, message, time, mergedParent, collected } = commit;
  return [
    ...[
      id,
      new Date(time).toISOString(),
      branch === unknownBranch ? '-' : printable(branch),
      printable(actor),
      printable(tool),
    ],
    `(${formatCounts(commit)})`,
    ...(client === undefined ? [] : [`via ${printable(client)}`]),
    ...(message === undefined ? [] : [quoteForTerminal(message)]),
    ...(mergedParent === null ? [] : [`merges ${mergedParent}`]),
    ...(collected === true ? ['collected'] : []),
  ].join('  ');
}

/** `~schema, +1 node, +2 observations, ~1 node` */
export function formatCounts({ counts, setsSchema }: Commit): string {
  const parts = [
    ['+', counts.nodesCreated, 'node'],
    ['~', counts.nodesUpdated, 'node'],
    ['-', counts.nodesDeleted, 'node'],
    ['+', counts.observationsAdded, 'observation'],
    ['~', counts.observationsUpdated, 'observation'],
    ['-', counts.observationsDeleted, 'observation'],
    ['+', counts.edgesCreated, 'edge'],
    ['~', counts.edgesUpdated, 'edge'],
    ['-', counts.edgesDeleted, 'edge'],
  ] as const;
  const listed = parts
    .filter(([, count]) => count > 0)
    .map(([sign, count, noun]) => `${sign}${pluralize(count, noun)}`);
  const all = [...(setsSchema === true ? ['~schema'] : []), ...listed];
  return all.length === 0 ? 'no changes' : all.join(', ');
}

function snakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
