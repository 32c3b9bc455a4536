import type { Command } from 'commander';
import { z } from 'zod';
import { openExistingStore, requireGraph, withStore } from '../config/open-configured-store.js';
import { loadSettings, settingsOfGraph } from '../config/settings.js';
import { Graph } from '../engine/graph.js';
import { requireBranch } from '../engine/history/resolve-ref.js';
import { systemClock } from '../model/clock.js';
import { TrellisError } from '../model/error.js';
import { mainBranch } from '../model/graph-record.js';
import type { Json } from '../model/json.js';
import { queryLimits } from '../model/limits.js';
import { queryOutput } from '../surfaces/graph/graph-query-shapes.js';
import { commitIds } from '../surfaces/graph/graph-shapes.js';
import { textEmbedder } from '../surfaces/graph/text-embedder.js';
import { branchOption, type CommonOptions, dataOptions } from './command-options.js';
import { print } from './print.js';
import { type ParamOptions, paramOptions, parseParams } from './query/parse-params.js';
import { remoteQuery } from './query/remote-query.js';
import { resolveQuerySource } from './query/resolve-query-source.js';
import { parseRowFormat, type RowFormat } from './query/row-formats.js';
import { withGraphTools } from './remote/graph-tools.js';

interface QueryOptions extends CommonOptions, ParamOptions {
  readonly name?: string;
  readonly snapshot?: string;
  readonly explain?: boolean;
  readonly format?: string;
}

const help = `
docs/query-language.md describes the language. --json prints the result of the tool, with the rows,
the branch and the commit; --format json prints only the rows.

Examples:
  $ trellis query 'query people() { match { $p: Person } return { $p.name } }'
  $ trellis query queries/find_user.gq --param email=ada@example.com
  $ trellis query find_user --params '{"email": "ada@example.com"}' --json
`;

export function define(command: Command): void {
  command.argument('<source>', 'a query, a .gq file, the name of a stored query, or - for standard input');
  dataOptions(branchOption(paramOptions(command)))
    .option('--snapshot <commit>', 'read the graph as of this commit, instead of a branch')
    .option('--format <format>', 'how to print rows: table, csv, json or markdown', 'table')
    .option('--explain', 'show the query plan; read no rows')
    .addHelpText('after', help)
    .action(run);
}

async function run(given: string, options: QueryOptions): Promise<void> {
  const { snapshot, json = false } = options;
  if (snapshot !== undefined && options.branch !== undefined)
    throw new TrellisError('USAGE', '--branch and --snapshot are both given.', { hint: 'Give one of them.' });
  const format = parseRowFormat(options.format);
  if (options.url !== undefined) return runOnServer(given, options, format);
  const settings = await loadSettings(options);
  const graphName = settings.graph.value;
  const { queries, embedding } = settingsOfGraph(settings, graphName);
  const { source, name = options.name } = await resolveQuerySource(given, queries);
  const params = parseParams(source, name, options);
  await withStore(openExistingStore(settings.location.value), async (store) => {
    await requireGraph(store, graphName);
    const { branch = mainBranch } = options;
    await requireBranch(store, graphName, branch);
    const graph = new Graph(store, graphName, { branch });
    const { executeQuery, explainQuery } = await import('../query/execute-query.js');
    const request = { source, name, params, snapshot, maxRows: queryLimits.maxRows };
    const context = { clock: systemClock, embed: textEmbedder(embedding.value) };
    if (options.explain === true) {
      const { plan } = await explainQuery(graph, request, context);
      print(json ? { steps: plan.steps, sql: plan.sql } : plan.steps.join('\n'));
      return;
    }
    const { columns, rows, commit, name: ran } = await executeQuery(graph, request, context);
    if (!json) {
      process.stdout.write(format(columns, rows));
      return;
    }
    const target = { branch: snapshot === undefined ? branch : null, snapshot: snapshot ?? null };
    print({
      ...{ query_name: ran, target, row_count: rows.length, columns },
      rows: rows.map((row) =>
        Object.fromEntries(columns.map((column, index) => [column, row[index] ?? null])),
      ),
      ...commitIds(commit),
    });
  });
}

const remoteAnswer = queryOutput.extend({ rows: z.array(z.record(z.string(), z.json())) });

async function runOnServer(given: string, options: QueryOptions, format: RowFormat): Promise<void> {
  const { branch, snapshot, explain, json = false } = options;
  await withGraphTools(options, async (tools) => {
    const { tool, args } = await remoteQuery(tools, 'query', given, options);
    if (explain === true && tool !== 'query')
      throw new TrellisError('USAGE', 'A server cannot explain a stored query.', {
        hint: 'Pass the text of the query instead of its name.',
      });
    const answer = await tools.call(tool, { ...args, branch, snapshot, explain }, remoteAnswer);
    const { columns, rows, plan } = answer;
    if (plan !== undefined) print(json ? { steps: plan } : plan.join('\n'));
    else if (json) print(answer);
    else
      process.stdout.write(
        format(
          columns,
          rows.map((row) => columns.map((column): Json => row[column] ?? null)),
        ),
      );
  });
}
