import type { Command } from 'commander';
import type { z } from 'zod';
import {
  ensureConfiguredGraphs,
  openConfiguredStore,
  withStore,
} from '../../config/open-configured-store.js';
import { resolvePath } from '../../config/paths.js';
import { loadSettings, settingsOfGraph } from '../../config/settings.js';
import { Graph } from '../../engine/graph.js';
import { asTrellisError, TrellisError } from '../../model/error.js';
import { readGraphSchemaFile } from '../../schema/apply/initialise-graph-schema.js';
import { applyOutput } from '../../surfaces/graph/graph-schema-apply.js';
import { optionalReceipt } from '../../surfaces/graph/graph-shapes.js';
import {
  authorOptions,
  type CommonOptions,
  commandAuthor,
  dataOptions,
  ifCommitOption,
} from '../command-options.js';
import { print } from '../print.js';
import { validStoredQueries } from '../query/valid-stored-queries.js';
import { withGraphTools } from '../remote/graph-tools.js';

interface ApplyOptions extends CommonOptions {
  readonly allowDataLoss?: boolean;
  readonly dryRun?: boolean;
}

const file = 'a .pg file (default: the one that the configuration names for the graph)';

export function defineSchemaPlan(schema: Command): void {
  const command = schema
    .command('plan')
    .description('Show what applying a schema would do; change nothing.')
    .argument('[file]', file);
  dataOptions(command).action((path: string | undefined, options: ApplyOptions) =>
    run(path, { ...options, dryRun: true }),
  );
}

export function defineSchemaApply(schema: Command): void {
  const command = schema
    .command('apply')
    .description('Set or change the schema of a graph and migrate its rows: one commit on main, or nothing.')
    .argument('[file]', file)
    .option('--allow-data-loss', 'drop types and properties that the new schema lacks, with their data')
    .option('--dry-run', 'show the steps; change nothing');
  ifCommitOption(authorOptions(dataOptions(command))).action(run);
}

async function run(given: string | undefined, options: ApplyOptions): Promise<void> {
  if (options.url !== undefined) return applyOnServer(given, options);
  const settings = await loadSettings(options);
  const graph = settings.graph.value;
  const path = given === undefined ? settings.graphs.get(graph)?.schema.value : resolvePath(given);
  if (path === undefined)
    throw fileNeeded(`No schema file is given, and the configuration names none for ${graph}.`);
  const { applyGraphSchema } = await import('../../schema/apply/apply-graph-schema.js');
  const source = await readGraphSchemaFile(path);
  await withStore(openConfiguredStore(settings.location.value), async (store) => {
    await ensureConfiguredGraphs(store, settings);
    const author = commandAuthor(options, 'schema_apply');
    const on = new Graph(store, graph);
    const queries = await validStoredQueries(store, graph, settings);
    const applied = await applyGraphSchema(
      { commit: (work) => on.commit(author, work, { ifCommit: options.ifCommit }) },
      {
        ...{ source, file: path, allowDataLoss: options.allowDataLoss, dryRun: options.dryRun },
        findBrokenQueries: async (schema) => queries.findBroken(schema),
      },
    );
    const { embeddingMismatches } = await import('../../search/embedding/properties/embedding-mismatches.js');
    const { embedding } = settingsOfGraph(settings, graph);
    const warnings = [...(await embeddingMismatches(source, embedding.value))];
    const { commit, steps, ...result } = applied;
    report(
      graph,
      {
        ...result,
        steps: steps.map((step) => ({ ...step })),
        warnings,
        ...optionalReceipt(commit),
      },
      options,
    );
  });
}

async function applyOnServer(given: string | undefined, options: ApplyOptions): Promise<void> {
  if (given === undefined) throw fileNeeded('No schema file is given.');
  const { allowDataLoss: allow_data_loss, ifCommit: if_commit, message } = options;
  const request = { allow_data_loss, if_commit };
  const schema = await readGraphSchemaFile(resolvePath(given));
  await withGraphTools(options, async (tools) => {
    const plan = () => tools.call('schema_apply', { schema, ...request, dry_run: true }, applyOutput);
    const apply = () => tools.call('schema_apply', { schema, ...request, message }, applyOutput);
    const answer = await (options.dryRun === true ? plan() : apply()).catch((error: unknown) => {
      // Only a plan lists all steps.
      if (asTrellisError(error).code === 'SCHEMA_UNSUPPORTED') return plan();
      throw error;
    });
    report(tools.graph, answer, options);
  });
}

function fileNeeded(message: string): TrellisError {
  return new TrellisError('USAGE', message, { hint: 'Name the file: trellis schema apply work.pg' });
}

function report(
  graph: string,
  { supported, applied, steps, commit_id, warnings = [] }: z.output<typeof applyOutput>,
  options: ApplyOptions,
): void {
  if (options.json === true)
    print({
      ...{ supported, applied, steps, ...(warnings.length === 0 ? {} : { warnings }) },
      ...(commit_id === undefined ? {} : { commit_id }),
    });
  else {
    for (const { message, data_loss, supported: can } of steps)
      print(`${can ? (data_loss ? '!' : '-') : 'x'} ${message}`);
    for (const warning of warnings) print(`warning: ${warning}`);
    print(conclusion());
  }
  if (!supported) process.exitCode = 1;

  function conclusion(): string {
    if (!supported) return 'Not applied: the steps marked x are not supported.';
    if (commit_id !== undefined) return `Applied to ${graph}. Commit ${commit_id}`;
    if (steps.length === 0) return `${graph} has this schema already.`;
    return steps.some((step) => step.data_loss)
      ? 'Nothing was changed. Steps marked ! lose data.'
      : 'Nothing was changed.';
  }
}
