import type { Command } from 'commander';
import { z } from 'zod';
import { changesOutput } from '../../surfaces/graph/graph-changes-shapes.js';
import type { CommonOptions } from '../command-options.js';
import { formatDiff } from '../history/format-diff.js';
import { print } from '../print.js';
import { type GraphTools, type ToolArguments, withGraphTools } from '../remote/graph-tools.js';

export interface NodeOptions extends CommonOptions {
  readonly type?: string;
}

export function nodeArgument(command: Command): Command {
  return command
    .argument('<name>', 'the name of the node')
    .option('--type <type>', 'its type, if several nodes have the name');
}

export function collectOption(one: string, before: readonly string[] = []): readonly string[] {
  return [...before, one];
}

/** Whoever may not read the graph is not told what changed. */
const editAnswer = z.object({
  commit: z.object({ commit_id: z.string() }).nullable().optional(),
  changes: changesOutput.optional(),
});

/** Writes one commit, and prints what it changed. */
export async function saveEdit(
  options: CommonOptions,
  done: string,
  operationsFor: (tools: GraphTools) => Promise<readonly ToolArguments[]>,
): Promise<void> {
  const { branch, message } = options;
  const edit = async (tools: GraphTools) => {
    const operations = await operationsFor(tools);
    return tools.call('edit', { branch, message, operations }, editAnswer);
  };
  const answer = await withGraphTools(options, edit, { writes: true });
  if (options.json === true) return print(answer);
  const { commit, changes } = answer;
  if (commit === null) return print('Nothing changed.');
  print(commit === undefined ? done : `${done} Commit ${commit.commit_id}`);
  if (changes !== undefined) for (const line of formatDiff(changes)) print(line);
}
