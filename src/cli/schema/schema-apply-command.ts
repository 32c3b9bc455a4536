import type { Command } from 'commander';
import {
  ensureConfiguredGraphs,
  openConfiguredStore,
  withStore,
} from '../../config/open-configured-store.js';
import { resolvePath } from '../../config/paths.js';
import { loadSettings, settingsOfGraph } from '../../config/settings.js';
import { Graph } from '../../engine/graph.js';
import { TrellisError } from '../../model/error.js';
import type { ApplySchemaResult } from '../../schema/apply/apply-graph-schema.js';
import { readGraphSchemaFile } from '../../schema/apply/initialise-graph-schema.js';
import { authorOptions, type CommonOptions, commandAuthor, commonOptions } from '../command-options.js';
import { print } from '../print.js';
import { validStoredQueries } from '../query/valid-stored-queries.js';

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
  commonOptions(command).action((path: string | undefined, options: ApplyOptions) =>
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
  authorOptions(commonOptions(command)).action(run);
}

async function run(given: string | undefined, options: ApplyOptions): Promise<void> {
  const settings = await loadSettings(options);
  const graph = settings.graph.value;
  const path = given === undefined ? settings.graphs.get(graph)?.schema.value : resolvePath(given);
  if (path === undefined)
    throw new TrellisError(
      'USAGE',
      `No schema file is given, and the configuration names none for ${graph}.`,
      { hint: 'Name the file: trellis schema apply work.pg' },
    );
  const { applyGraphSchema } = await import('../../schema/apply/apply-graph-schema.js');
  const source = await readGraphSchemaFile(path);
  await withStore(openConfiguredStore(settings.location.value), async (store) => {
    await ensureConfiguredGraphs(store, settings);
    const author = commandAuthor(options, 'schema apply');
    const on = new Graph(store, graph);
    const queries = await validStoredQueries(store, graph, settings);
    const applied = await applyGraphSchema(
      { commit: (work) => on.commit(author, work) },
      {
        ...{ source, file: path, allowDataLoss: options.allowDataLoss, dryRun: options.dryRun },
        findBrokenQueries: async (schema) => queries.findBroken(schema),
      },
    );
    const { embeddingMismatches } = await import('../../search/embedding/properties/embedding-mismatches.js');
    const { embedding } = settingsOfGraph(settings, graph);
    report(graph, { ...applied, warnings: await embeddingMismatches(source, embedding.value) }, options);
  });
}

function report(
  graph: string,
  {
    supported,
    applied,
    steps,
    commit,
    warnings,
  }: ApplySchemaResult & { readonly warnings: readonly string[] },
  options: ApplyOptions,
): void {
  if (options.json === true)
    print({
      ...{ supported, applied, steps, ...(warnings.length === 0 ? {} : { warnings }) },
      ...(commit === null ? {} : { commit_id: commit }),
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
    if (commit !== null) return `Applied to ${graph}. Commit ${commit}`;
    if (steps.length === 0) return `${graph} has this schema already.`;
    return steps.some((step) => step.data_loss)
      ? 'Nothing was changed. Steps marked ! lose data.'
      : 'Nothing was changed.';
  }
}
