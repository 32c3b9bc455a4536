import { createReadStream } from 'node:fs';
import type { Command } from 'commander';
import { ensureConfiguredGraphs, withWritableStore } from '../config/open-configured-store.js';
import { resolvePath } from '../config/paths.js';
import { loadSettings } from '../config/settings.js';
import { Graph } from '../engine/graph.js';
import { discardBranch } from '../engine/history/branches.js';
import { readFailureReason } from '../file/file-errors.js';
import { type IngestMode, ingestModes } from '../ingest/ingest-mode.js';
import { type IngestReport, runIngest } from '../ingest/run-ingest.js';
import { TrellisError } from '../model/error.js';
import { type Branch, mainBranch } from '../model/graph-record.js';
import { ingestLimits } from '../model/limits.js';
import type { Store } from '../store/store-contract.js';
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

interface IngestOptions extends CommonOptions {
  readonly mode: string;
  readonly from?: string;
}

const help = `
A line is {"type":"Person","data":{…}} for a node, or
{"edge":"Knows","from":"ID","to":"ID","data":{…}} for an edge, in any order. All lines are one
commit, or none is written. The id of a node is its key, as a JSON array if the key has several
properties; on a graph without a schema it is data.name.
  merge      updates existing rows; the last line wins
  append     an existing row is an error
  overwrite  replaces all rows of the types that occur
trellis export --format graph writes such lines.

Examples:
  $ trellis ingest people.ndjson
  $ trellis ingest --branch review --from main - < people.ndjson
`;

export function define(command: Command): void {
  command.argument('[file]', 'lines of nodes and edges; - for standard input', '-');
  jsonOption(authorOptions(branchOption(graphOption(locationOptions(command)))))
    .option('--mode <mode>', 'how existing rows are treated: merge, append or overwrite', 'merge')
    .option('--from <branch>', 'create the branch from this one if it does not exist')
    .addHelpText('after', help)
    .action(run);
}

async function run(file: string, options: IngestOptions): Promise<void> {
  const { from, json = false, branch = mainBranch } = options;
  const mode = parseMode(options.mode);
  const settings = await loadSettings(options);
  await withWritableStore(settings.location.value, async (store) => {
    await ensureConfiguredGraphs(store, settings);
    const name = settings.graph.value;
    const made = await ensureBranch(store, name, branch, from);
    const graph = new Graph(store, name, { branch });
    const author = commandAuthor(options, 'ingest');
    const bytes = file === '-' ? process.stdin : createReadStream(resolvePath(file));
    const report = await runIngest({ commit: (work) => graph.commit(author, work) }, bytes, {
      ...{ mode, maxBytes: ingestLimits.fileBytes, allowProvenance: true },
    }).catch(async (error) => {
      if (made !== undefined) await discardBranch(store, name, made);
      throw asReadError(error, file);
    });
    if (json) print({ branch, branch_created: made !== undefined, mode, ...answer(report) });
    else print(line(report, branch));
  });
}

function parseMode(name: string): IngestMode {
  const mode = ingestModes.find((candidate) => candidate === name);
  if (mode !== undefined) return mode;
  throw new TrellisError('USAGE', `There is no mode named ${JSON.stringify(name)}.`, {
    hint: `Use one of: ${ingestModes.join(', ')}.`,
  });
}

async function ensureBranch(
  store: Store,
  graph: string,
  branch: string,
  from: string | undefined,
): Promise<Branch | undefined> {
  if (from === undefined || (await store.branches(graph)).some(({ name }) => name === branch))
    return undefined;
  return store.createBranch(graph, branch, from);
}

function asReadError(error: unknown, file: string): unknown {
  if (error instanceof TrellisError || !(error instanceof Error) || !('code' in error)) return error;
  return new TrellisError('INVALID_ARGUMENT', `Cannot read ${file}: ${readFailureReason(error)}.`, {
    hint: 'Name an existing file, or - for standard input.',
    cause: error,
  });
}

function answer({ nodes, edges, commit }: IngestReport): object {
  return { nodes, edges, commit_id: commit };
}

function line({ nodes, edges, commit }: IngestReport, branch: string): string {
  const sum = (parts: IngestReport['nodes']) => parts.reduce((total, { loaded }) => total + loaded, 0);
  const amount = `${pluralize(sum(nodes), 'node')}, ${pluralize(sum(edges), 'edge')}`;
  return commit === null
    ? `Nothing new: ${amount} already stored.`
    : `Ingested ${amount} into ${branch}. Commit ${commit}`;
}
