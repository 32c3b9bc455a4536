import type { Command } from 'commander';
import { diffRefs } from '../engine/history/diff-states.js';
import { isEmptyDiff } from '../engine/history/graph-diff.js';
import { describeDiffWithSchema } from '../schema/apply/describe-diff-with-schema.js';
import { type CommonOptions, commonOptions } from './command-options.js';
import { formatDiff } from './history/format-diff.js';
import { printable } from './history/printable.js';
import { withGraph } from './history/with-graph.js';
import { print } from './print.js';

const help = `
Shows what was added (+), changed (~) and removed (-) between the two, the schema first. Times and
the order of creation are not compared.

Examples:
  $ trellis diff main review
  $ trellis diff 01KBQ5V1Q3Y2D9A0ZB9N4R7C8E main --json
`;

export function define(command: Command): void {
  command.argument('<from>', 'a branch or a commit id').argument('<to>', 'another branch or commit id');
  commonOptions(command).addHelpText('after', help).action(run);
}

async function run(from: string, to: string, options: CommonOptions): Promise<void> {
  const changes = await withGraph(options, (store, graph) => diffRefs(store, { graph, from, to }));
  const described = await describeDiffWithSchema(changes);
  if (options.json) print({ from, to, ...described });
  else if (isEmptyDiff(changes)) print(`${printable(from)} and ${printable(to)} are identical.`);
  else for (const line of formatDiff(described)) print(line);
}
