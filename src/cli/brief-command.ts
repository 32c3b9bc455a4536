import { stat } from 'node:fs/promises';
import type { Command } from 'commander';
import { assembleBrief, defaultBriefBudget } from '../brief/assemble-brief.js';
import { estimateTokens } from '../brief/estimate-tokens.js';
import { projectNames } from '../brief/project-names.js';
import { type BriefRequest, readBrief } from '../brief/read-brief.js';
import { Graph } from '../engine/graph.js';
import { hiddenRegistry } from '../store/graph-targets.js';
import { branchOption, type CommonOptions, commonOptions } from './command-options.js';
import { parsePositiveInteger } from './history/parse-time.js';
import { withGraph } from './history/with-graph.js';
import { print } from './print.js';

export interface BriefOptions extends CommonOptions {
  readonly for?: string;
  readonly budget: number;
}

const help = `
Prints what an agent should know at the start of its work, the most important first: facts that
begin with PINNED:, the node of the project with its facts and relations, facts that begin with
QUESTION:, and what changed last. The node of the project is named like the repository of the
remote (name or owner/name), the folder of the repository, or the folder.

Tokens are estimated: one for four characters of ASCII, one for each other character.

Examples:
  $ trellis brief
  $ trellis brief --for ~/src/shop --budget 500
  $ trellis brief --for 'the payment service'
`;

export function define(command: Command): void {
  command
    .option('--for <what>', 'the folder of a project, the name of a node, or words (default: this folder)')
    .option('--budget <tokens>', 'about how long it may be', parsePositiveInteger, defaultBriefBudget);
  commonOptions(branchOption(command)).addHelpText('after', help).action(run);
}

async function run(options: BriefOptions): Promise<void> {
  const text = await briefText(options);
  if (options.json) print({ brief: text, tokens: estimateTokens(text) });
  else print(text === '' ? 'The memory is empty.' : text.trimEnd());
}

/** Empty if nothing is known. */
export async function briefText(options: BriefOptions): Promise<string> {
  const request = await requestFor(options.for ?? process.cwd());
  return withGraph(options, async (store, name) => {
    const { branch, budget } = options;
    const graph = new Graph(store, name, {
      registry: hiddenRegistry,
      ...(branch === undefined ? {} : { branch }),
    });
    return assembleBrief(await graph.read((reader) => readBrief(reader, request)), budget);
  });
}

async function requestFor(what: string): Promise<BriefRequest> {
  const isFolder = await stat(what).then(
    (found) => found.isDirectory(),
    () => false,
  );
  return isFolder ? { names: await projectNames(what) } : { about: what };
}
