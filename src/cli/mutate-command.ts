import type { Command } from 'commander';
import { ensureConfiguredGraphs, withWritableStore } from '../config/open-configured-store.js';
import { loadSettings, settingsOfGraph } from '../config/settings.js';
import { Graph } from '../engine/graph.js';
import { requireBranch } from '../engine/history/resolve-ref.js';
import { systemClock } from '../model/clock.js';
import { mainBranch } from '../model/graph-record.js';
import {
  authorOptions,
  branchOption,
  type CommonOptions,
  commandAuthor,
  graphOption,
  jsonOption,
  locationOptions,
} from './command-options.js';
import { pluralize, print } from './print.js';
import { type ParamOptions, paramOptions, parseParams } from './query/parse-params.js';
import { resolveQuerySource } from './query/resolve-query-source.js';

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
  jsonOption(authorOptions(branchOption(graphOption(locationOptions(paramOptions(command))))))
    .addHelpText('after', help)
    .action(run);
}

async function run(given: string, options: MutateOptions): Promise<void> {
  const settings = await loadSettings(options);
  const graphName = settings.graph.value;
  const { source, name = options.name } = await resolveQuerySource(
    given,
    settingsOfGraph(settings, graphName).queries,
  );
  const params = parseParams(source, name, options);
  await withWritableStore(settings.location.value, async (store) => {
    await ensureConfiguredGraphs(store, settings);
    const { branch = mainBranch } = options;
    await requireBranch(store, graphName, branch);
    const graph = new Graph(store, graphName, { branch });
    const author = commandAuthor(options, 'mutate');
    const { executeMutation } = await import('../query/execute-mutation.js');
    const answer = await executeMutation(
      { commit: (work) => graph.commit(author, work) },
      { source, name, params },
      systemClock,
    );
    const { affectedNodes, affectedEdges, commit } = answer;
    if (options.json === true)
      return print({
        ...{ branch, query_name: answer.name, affected_nodes: affectedNodes, affected_edges: affectedEdges },
        ...{ actor_id: author.actor, commit_id: commit },
      });
    const amount = `${pluralize(affectedNodes, 'node')}, ${pluralize(affectedEdges, 'edge')}`;
    print(commit === null ? 'Nothing changed.' : `Changed ${amount} on ${branch}. Commit ${commit}`);
  });
}
