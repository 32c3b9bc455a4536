import type { Command } from 'commander';
import type { z } from 'zod';
import { ensureConfiguredGraphs, withWritableStore } from '../config/open-configured-store.js';
import { loadSettings, settingsOfGraph } from '../config/settings.js';
import { Graph } from '../engine/graph.js';
import { requireBranch } from '../engine/history/resolve-ref.js';
import { systemClock } from '../model/clock.js';
import { mainBranch } from '../model/graph-record.js';
import { type MutationOutput, mutateOutput, toMutationOutput } from '../surfaces/graph/graph-query-shapes.js';
import {
  authorOptions,
  branchOption,
  type CommonOptions,
  commandAuthor,
  dataOptions,
  ifCommitOption,
} from './command-options.js';
import { pluralize, print } from './print.js';
import { type ParamOptions, paramOptions, parseParams } from './query/parse-params.js';
import { remoteQuery } from './query/remote-query.js';
import { resolveQuerySource } from './query/resolve-query-source.js';
import { withGraphTools } from './remote/graph-tools.js';

interface MutateOptions extends CommonOptions, ParamOptions {
  readonly name?: string;
}

const help = `
All statements of a mutation are one commit, or none is done. docs/query-language.md describes the
language.

Examples:
  $ trellis mutate 'query add($name: String) { insert Person { name: $name } }' --param name=Ada
  $ trellis mutate queries/add_person.gq --params '{"email": "ada@example.com"}' --branch review
`;

export function define(command: Command): void {
  command.argument('<source>', 'a query, a .gq file, the name of a stored query, or - for standard input');
  dataOptions(ifCommitOption(authorOptions(branchOption(paramOptions(command)))))
    .addHelpText('after', help)
    .action(run);
}

async function run(given: string, options: MutateOptions): Promise<void> {
  const answer = await (options.url === undefined
    ? mutateStore(given, options)
    : mutateServer(given, options));
  if (options.json === true) return print(answer);
  const { branch, affected_nodes: nodes, affected_edges: edges, commit_id: commit } = answer;
  // Whoever may not read the graph is not told more.
  if (nodes === undefined || edges === undefined) print(`Ran it on ${branch}.`);
  else if (commit === null) print('Nothing changed.');
  else
    print(`Changed ${pluralize(nodes, 'node')}, ${pluralize(edges, 'edge')} on ${branch}. Commit ${commit}`);
}

function mutateServer(given: string, options: MutateOptions): Promise<z.output<typeof mutateOutput>> {
  return withGraphTools(options, async (tools) => {
    const { tool, args } = await remoteQuery(tools, 'mutate', given, options);
    const { branch, message, ifCommit: if_commit } = options;
    return tools.call(tool, { ...args, branch, message, if_commit }, mutateOutput);
  });
}

async function mutateStore(given: string, options: MutateOptions): Promise<MutationOutput> {
  const settings = await loadSettings(options);
  const graphName = settings.graph.value;
  const { source, name = options.name } = await resolveQuerySource(
    given,
    settingsOfGraph(settings, graphName).queries,
  );
  const params = parseParams(source, name, options);
  return withWritableStore(settings.location.value, async (store) => {
    await ensureConfiguredGraphs(store, settings);
    const { branch = mainBranch, ifCommit } = options;
    await requireBranch(store, graphName, branch);
    const graph = new Graph(store, graphName, { branch });
    const author = commandAuthor(options, 'mutate');
    const { executeMutation } = await import('../query/execute-mutation.js');
    const result = await executeMutation(
      { commit: (work) => graph.commit(author, work, { ifCommit }) },
      { source, name, params },
      systemClock,
    );
    return toMutationOutput(result, branch, author.actor);
  });
}
