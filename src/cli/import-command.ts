import { stat } from 'node:fs/promises';
import type { Command } from 'commander';
import { ensureConfiguredGraphs, withWritableStore } from '../config/open-configured-store.js';
import { loadSettings, type Settings } from '../config/settings.js';
import { Graph } from '../engine/graph.js';
import { requireBranch } from '../engine/history/resolve-ref.js';
import type { ImportCounts } from '../engine/write/import-records.js';
import { TrellisError } from '../model/error.js';
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
import { note, pluralize, print } from './print.js';
import { type InputFile, withInputFile } from './transfer/input-file.js';
import { loadFile } from './transfer/load-file.js';
import { ProgressBar } from './transfer/progress-bar.js';
import { cannotBeStored, type FileScan, scanFile } from './transfer/scan-file.js';

interface ImportOptions extends CommonOptions {
  readonly dryRun?: boolean;
  readonly skipUnreadable?: boolean;
}

/** A JSON lines store rewrites its file with each commit, so it gets few large ones. */
const batchLines = { sqlite: 1_000, postgres: 1_000, jsonl: 50_000 } as const;

/** A file of another kind must not fill the screen. */
const maxNoted = 20;

const help = `
The whole file is checked first; if a line cannot be read, nothing is written. It is written in
batches, one commit each. An import can be repeated, even after an interruption: an existing node
keeps its type and gets the observations it lacks; an existing relation is unchanged.

Examples:
  $ trellis import memory.jsonl --dry-run
  $ trellis import memory.jsonl                       into the default store
  $ trellis import old.jsonl --store work.db --graph work
  $ gunzip < old.jsonl.gz | trellis import -
`;

export function define(command: Command): void {
  command.argument('<file>', 'JSON lines in the memory or mesh format; - for standard input');
  jsonOption(authorOptions(branchOption(graphOption(locationOptions(command)))))
    .option('--dry-run', 'show what the file has and which lines cannot be read; write nothing')
    .option('--skip-unreadable', 'import the rest if some lines cannot be read')
    .addHelpText('after', help)
    .action(run);
}

async function run(given: string, options: ImportOptions): Promise<void> {
  const settings = await loadSettings(options);
  // The file is read twice: nothing is written before all of it is checked.
  await withInputFile(given, (file) => importFile(file, settings, options));
}

async function importFile(
  { name, path }: InputFile,
  settings: Settings,
  options: ImportOptions,
): Promise<void> {
  const scan = await withProgress('checking', path, (onBytes) => scanFile(path, onBytes));
  if (options.dryRun) {
    report(name, scan, undefined, options.json === true);
    if (scan.unreadable.length > 0) process.exitCode = 1;
    return;
  }
  if (scan.unreadable.length > 0 && !options.skipUnreadable)
    throw unreadable(name, scan, options.json === true);
  const counts = await load(path, settings, options);
  report(name, scan, counts, options.json === true);
}

async function load(path: string, settings: Settings, options: ImportOptions): Promise<ImportCounts> {
  const { branch = mainBranch } = options;
  const author = commandAuthor(options, 'import');
  return withWritableStore(settings.location.value, async (store) => {
    await ensureConfiguredGraphs(store, settings);
    await requireBranch(store, settings.graph.value, branch);
    const graph = new Graph(store, settings.graph.value, { branch });
    return await withProgress('importing', path, (onBytes) =>
      loadFile(graph, path, { author, batchLines: batchLines[store.kind], onBytes }),
    );
  });
}

async function withProgress<T>(
  what: string,
  path: string,
  work: (onBytes: (count: number) => void) => Promise<T>,
) {
  const size = await stat(path).then(
    (found) => found.size,
    () => 0,
  );
  const progress = new ProgressBar(what, size);
  try {
    return await work((count) => progress.add(count));
  } finally {
    progress.end();
  }
}

function unreadable(path: string, scan: FileScan, json: boolean): TrellisError {
  const lines = scan.unreadable;
  if (!json) noteUnreadable(scan);
  return new TrellisError(
    'INVALID_ARGUMENT',
    `${pluralize(lines.length, 'line')} of ${path} cannot be read; nothing was imported.`,
    { hint: unreadableHint(scan), details: { unreadable: lines } },
  );
}

function unreadableHint({ nodes, edges, unreadable: lines }: FileScan): string {
  const inFormat = nodes + edges > 0 || lines.some(({ reason }) => reason.startsWith(cannotBeStored));
  if (inFormat) return 'Fix them, or pass --skip-unreadable to import the rest.';
  return 'No line is in the memory or mesh format. Use trellis ingest for the graph format, and trellis copy for databases.';
}

function report(path: string, scan: FileScan, counts: ImportCounts | undefined, json: boolean): void {
  if (json) {
    print({
      file: path,
      dry_run: counts === undefined,
      nodes: scan.nodes,
      edges: scan.edges,
      unreadable: scan.unreadable,
      unknown_keys: scan.unknownKeys,
      ...(counts === undefined ? {} : { imported: imported(counts) }),
    });
    return;
  }
  noteUnreadable(scan);
  if (scan.unknownKeys.length > 0) note(`unknown keys are left out: ${scan.unknownKeys.join(', ')}`);
  const held = `${pluralize(scan.nodes, 'node')}, ${pluralize(scan.edges, 'edge')}, ${pluralize(scan.unreadable.length, 'unreadable line')}`;
  if (counts === undefined) print(`${path} has ${held}. Nothing was written.`);
  else
    print(
      [
        `Imported ${path}: ${held}.`,
        `  nodes: ${counts.nodesCreated} created, ${counts.nodesMerged} merged (${pluralize(counts.observationsAdded, 'observation')} added), ${counts.nodesUnchanged} unchanged`,
        `  edges: ${counts.edgesCreated} created, ${counts.edgesUnchanged} unchanged`,
      ].join('\n'),
    );
}

function noteUnreadable({ unreadable }: FileScan): void {
  for (const { line, reason } of unreadable.slice(0, maxNoted)) note(`line ${line} ${reason}`);
  const more = unreadable.length - maxNoted;
  if (more > 0) note(`and ${pluralize(more, 'more line')}; --json lists them all`);
}

function imported(counts: ImportCounts): object {
  return {
    nodes_created: counts.nodesCreated,
    nodes_merged: counts.nodesMerged,
    nodes_unchanged: counts.nodesUnchanged,
    observations_added: counts.observationsAdded,
    edges_created: counts.edgesCreated,
    edges_unchanged: counts.edgesUnchanged,
  };
}
