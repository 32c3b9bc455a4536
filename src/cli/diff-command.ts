import type { Command } from 'commander';
import { z } from 'zod';
import { diffRefs } from '../engine/history/diff-states.js';
import { describeDiffWithSchema } from '../schema/apply/describe-diff-with-schema.js';
import { changesOutput } from '../surfaces/graph/graph-changes-shapes.js';
import { type CommonOptions, dataOptions } from './command-options.js';
import { type Changes, formatDiff, isUnchanged } from './history/format-diff.js';
import { printable } from './history/printable.js';
import { print } from './print.js';
import { withStoreOrServer } from './remote/graph-tools.js';

const help = `
Shows what was added (+), changed (~) and removed (-) between the two, the schema first. Times and
the order of creation are not compared.

Examples:
  $ trellis diff main review
  $ trellis diff 01KBQ5V1Q3Y2D9A0ZB9N4R7C8E main --json
`;

export function define(command: Command): void {
  command.argument('<from>', 'a branch or a commit id').argument('<to>', 'another branch or commit id');
  dataOptions(command).addHelpText('after', help).action(run);
}

async function run(from: string, to: string, options: CommonOptions): Promise<void> {
  const changes = await withStoreOrServer(options, {
    store: async (store, graph): Promise<Changes> =>
      describeDiffWithSchema(await diffRefs(store, { graph, from, to })),
    server: async (tools) => (await tools.call('diff', { from, to }, diffAnswer)).changes,
  });
  if (options.json) print({ from, to, ...changes });
  else if (isUnchanged(changes)) print(`${printable(from)} and ${printable(to)} are identical.`);
  else for (const line of formatDiff(changes)) print(line);
}

const diffAnswer = z.object({ changes: changesOutput });
