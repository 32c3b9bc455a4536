import type { Command } from 'commander';
import { resolveRef } from '../engine/history/resolve-ref.js';
import { showCommit } from '../engine/history/show-commit.js';
import { describeDiffWithSchema } from '../schema/apply/describe-diff-with-schema.js';
import { type CommonOptions, dataOptions } from './command-options.js';
import { commitAsJson, formatCounts } from './history/format-commit.js';
import { formatDiff } from './history/format-diff.js';
import { printable } from './history/printable.js';
import { print } from './print.js';
import { withStoreOrServer } from './remote/graph-tools.js';
import { noCommits, type RemoteCommit, showRemoteCommit } from './remote/remote-history.js';

const help = `
Shows who made the commit, and what it added (+), changed (~) and removed (-), the schema first.

Examples:
  $ trellis show main
  $ trellis show 01KBQ5V1Q3Y2D9A0ZB9N4R7C8E --json
`;

export function define(command: Command): void {
  command.argument('<commit>', 'a commit id, or a branch for its newest commit');
  dataOptions(command).addHelpText('after', help).action(run);
}

async function run(ref: string, options: CommonOptions): Promise<void> {
  const { commit, changes } = await withStoreOrServer(options, {
    async store(store, graph): Promise<RemoteCommit> {
      const id = await resolveRef(store, graph, ref);
      if (id === null) throw noCommits(ref);
      const shown = await showCommit(store, graph, id);
      return { ...shown, changes: await describeDiffWithSchema(shown.changes) };
    },
    server: (tools) => showRemoteCommit(tools, ref),
  });
  if (options.json) return print({ ...commitAsJson(commit), changes });
  const { id, branch, parent, mergedParent, actor, tool, client, message, time } = commit;
  print(`commit  ${id}`);
  print(`branch  ${printable(branch)}`);
  if (parent !== null) print(`parent  ${parent}`);
  if (mergedParent !== null) print(`merges  ${mergedParent}`);
  print(`by      ${printable(actor)}, ${printable(tool)}`);
  if (client !== undefined) print(`client  ${printable(client)}`);
  if (message !== undefined) print(`message ${printable(message)}`);
  print(`time    ${new Date(time).toISOString()}`);
  print(`counts  ${formatCounts(commit)}`);
  for (const line of formatDiff(changes)) print(line);
}
