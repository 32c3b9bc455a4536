import { text as readText } from 'node:stream/consumers';
import type { Command } from 'commander';
import { purgeText } from '../engine/history/purge-text.js';
import type { PurgeResult } from '../store/maintenance.js';
import { authorOptions, type CommonOptions, commandAuthor, commonOptions } from './command-options.js';
import { withGraph } from './history/with-graph.js';
import { note, pluralize, print } from './print.js';

interface PurgeOptions extends CommonOptions {
  readonly dryRun?: boolean;
}

const help = `
For a password or key that an agent has stored. Replaces it with [purged] in every version of every
node, observation and edge, on every branch and in every commit, and in names, schemas, rejected
writes and the search index. The file of an SQLite database is rewritten. This is the only command
that rewrites history. Backups, copies and exports are not changed.

Examples:
  $ trellis purge --dry-run < secret.txt
  $ trellis purge < secret.txt
`;

export function define(command: Command): void {
  command
    .argument('[text]', 'the exact text; - for standard input, which keeps it out of the shell history', '-')
    .option('--dry-run', 'count occurrences; change nothing');
  authorOptions(commonOptions(command)).addHelpText('after', help).action(run);
}

async function run(given: string, options: PurgeOptions): Promise<void> {
  const { dryRun = false, json = false } = options;
  const text = given === '-' ? (await readText(process.stdin)).replace(/\r?\n$/, '') : given;
  const purged = await withGraph(options, (store, graph) =>
    purgeText(store, { graph, text, dryRun, author: commandAuthor(options, 'purge') }),
  );
  if (json) print({ dry_run: dryRun, ...purged });
  else print(line(purged, dryRun));
  for (const location of purged.left) note(`the text is still in ${location}`);
  if (purged.left.length > 0) process.exitCode = 1;
}

function line(
  { names, nodes, observations, edges, rejections, commits, schemas }: PurgeResult,
  dryRun: boolean,
): string {
  const parts = [
    ...[pluralize(names, 'name'), pluralize(nodes, 'node')],
    ...[pluralize(observations, 'observation'), pluralize(edges, 'edge')],
    ...(schemas === 0 ? [] : [pluralize(schemas, 'schema')]),
    ...(rejections === 0 ? [] : [pluralize(rejections, 'rejected write')]),
    ...(commits === 0 ? [] : [pluralize(commits, 'commit message')]),
  ];
  return `${dryRun ? 'Found it' : 'Purged it'} in every version: ${parts.join(', ')}.`;
}
