import { createReadStream, ReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import type { Command } from 'commander';
import type { z } from 'zod';
import { ensureConfiguredGraphs, withWritableStore } from '../config/open-configured-store.js';
import { resolvePath } from '../config/paths.js';
import { loadSettings } from '../config/settings.js';
import { Graph } from '../engine/graph.js';
import { discardBranch } from '../engine/history/branches.js';
import { readFailureReason } from '../file/file-errors.js';
import { type IngestMode, ingestModes } from '../ingest/ingest-mode.js';
import { type IngestTarget, runIngest } from '../ingest/run-ingest.js';
import { TrellisError } from '../model/error.js';
import { type Branch, mainBranch } from '../model/graph-record.js';
import { ingestLimits } from '../model/limits.js';
import type { Store } from '../store/store-contract.js';
import { type ingestOutput, toIngestOutput } from '../surfaces/graph/graph-ingest.js';
import {
  authorOptions,
  branchOption,
  type CommonOptions,
  commandAuthor,
  dataOptions,
  ifCommitOption,
} from './command-options.js';
import { pluralize, print } from './print.js';
import { withProgress } from './transfer/progress-bar.js';

interface IngestOptions extends CommonOptions {
  readonly mode: string;
  readonly from?: string;
  readonly cascade?: boolean;
}

const help = `
A line is {"type":"Person","data":{…}} for a node, or
{"edge":"Knows","from":"ID","to":"ID","data":{…}} for an edge, in any order. All lines are one
commit, or none is written. The id of a node is its key, as a JSON array if the key has several
properties; on a graph without a schema it is data.name.
  merge      updates existing rows; the last line wins
  append     an existing row is an error
  overwrite  replaces all rows of the types that occur; if nodes go that have edges of other
             types, it is refused unless --cascade is given
An "id" on an edge tells it from other edges of its type between the same nodes. What Omnigraph
exports is accepted: ids inside data, dates as days since 1970, times without a zone (UTC).
trellis export --format graph writes such lines.

Examples:
  $ trellis ingest people.ndjson
  $ trellis ingest --branch review --from main - < people.ndjson
`;

export function define(command: Command): void {
  command.argument('[file]', 'lines of nodes and edges; - for standard input', '-');
  dataOptions(ifCommitOption(authorOptions(branchOption(command))))
    .option('--mode <mode>', 'how existing rows are treated: merge, append or overwrite', 'merge')
    .option('--cascade', 'with overwrite, also remove edges of other types whose nodes go')
    .option('--from <branch>', 'create the branch from this one if it does not exist')
    .addHelpText('after', help)
    .action(run);
}

async function run(file: string, options: IngestOptions): Promise<void> {
  const mode = parseMode(options.mode);
  const bytes = file === '-' ? process.stdin : createReadStream(resolvePath(file));
  // Reading starts later, and reports the error then.
  bytes.on('error', () => {});
  const ingest = options.url === undefined ? ingestIntoStore : ingestIntoServer;
  const answer = await ingest(bytes, mode, options).catch((error) => {
    throw asReadError(readFailure(bytes) ?? error, file);
  });
  print(options.json === true ? answer : line(answer));
}

type IngestAnswer = z.output<typeof ingestOutput>;

async function ingestIntoServer(
  bytes: Readable,
  mode: IngestMode,
  { branch, from, message, cascade, ifCommit, ...options }: IngestOptions,
): Promise<IngestAnswer> {
  const { connectGraph } = await import('./remote/remote-graph.js');
  const graph = await connectGraph(options.url ?? '', options);
  return graph.ingest(bytes, {
    ...{ mode, branch, from, message, if_commit: ifCommit },
    cascade: cascade === true ? 'true' : undefined,
  });
}

async function ingestIntoStore(
  bytes: Readable,
  mode: IngestMode,
  options: IngestOptions,
): Promise<IngestAnswer> {
  const { from, cascade, ifCommit, branch = mainBranch } = options;
  const settings = await loadSettings(options);
  return withWritableStore(settings.location.value, async (store) => {
    await ensureConfiguredGraphs(store, settings);
    const name = settings.graph.value;
    const made = await ensureBranch(store, name, branch, from);
    const graph = new Graph(store, name, { branch });
    const author = commandAuthor(options, 'ingest');
    const target: IngestTarget = {
      read: (work) => graph.read(work),
      commit: (work, options) => graph.commit(author, work, { ...options, ifCommit }),
    };
    const report = await withProgress((progress) =>
      runIngest(target, bytes, {
        ...{ mode, cascade, maxBytes: ingestLimits.fileBytes, allowProvenance: true, progress },
      }),
    ).catch(async (error) => {
      if (made !== undefined) await discardBranch(store, name, made);
      throw error;
    });
    return toIngestOutput(report, { branch, branch_created: made !== undefined, mode });
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

/** Why the file could not be read; not that its reader stopped at a wrong line, which aborts the stream. */
function readFailure(bytes: Readable): Error | undefined {
  const failure = bytes instanceof ReadStream ? bytes.errored : null;
  return failure === null || failure.name === 'AbortError' ? undefined : failure;
}

function asReadError(error: unknown, file: string): unknown {
  if (error instanceof TrellisError || !(error instanceof Error) || !('code' in error)) return error;
  return new TrellisError('INVALID_ARGUMENT', `Cannot read ${file}: ${readFailureReason(error)}.`, {
    hint: 'Name an existing file, or - for standard input.',
    cause: error,
  });
}

function line({ nodes, edges, removed, branch, commit_id: commit }: IngestAnswer): string {
  const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0);
  const [nodeCount, edgeCount] = [nodes, edges].map((parts) => sum(parts.map(({ loaded }) => loaded)));
  const amount = `${pluralize(nodeCount ?? 0, 'node')}, ${pluralize(edgeCount ?? 0, 'edge')}`;
  if (commit === null) return `Nothing new: ${amount} already stored.`;
  const gone = [...(removed?.nodes ?? []), ...(removed?.edges ?? [])];
  const removal = gone.map(({ name, removed: count }) => `${count} ${name}`).join(', ');
  return `Ingested ${amount} into ${branch}.${removal === '' ? '' : ` Removed ${removal}.`} Commit ${commit}`;
}
