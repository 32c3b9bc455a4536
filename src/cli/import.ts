import { stat } from 'node:fs/promises';
import type { Command } from 'commander';
import { localActor } from '../access/actor.js';
import { loadSettings } from '../config/load-settings.js';
import { ensureGraphs, openLocation } from '../config/open-location.js';
import { resolvePath } from '../config/paths.js';
import type { Settings } from '../config/settings.js';
import { Graph } from '../engine/graph.js';
import type { ImportCounts } from '../engine/write/import-records.js';
import { TrellisError } from '../model/error.js';
import { counted } from './counted.js';
import { type CommonOptions, graphOption, jsonOption, locationOptions } from './options.js';
import { note, print } from './print.js';
import { loadFile } from './transfer/load-file.js';
import { Progress } from './transfer/progress.js';
import { type Scan, scanFile } from './transfer/scan-file.js';

interface ImportOptions extends CommonOptions {
  readonly dryRun?: boolean;
  readonly skipUnreadable?: boolean;
}

/** A JSON lines store rewrites its file with each commit, so it gets few large ones. */
const batchLines = { sqlite: 1_000, postgres: 1_000, jsonl: 50_000 } as const;

export function define(command: Command): void {
  command.argument('<file>', 'a file of JSON lines, in either format that trellis export writes');
  jsonOption(graphOption(locationOptions(command)))
    .option('--dry-run', 'say what the file holds and which lines cannot be read; write nothing')
    .option('--skip-unreadable', 'import the rest of a file in which some lines cannot be read')
    .addHelpText(
      'after',
      `
The whole file is checked first; if a line cannot be read, nothing is written. Then it is written in batches, a
commit each. Importing can be repeated, also after an interruption: a node that is there keeps its type and gets the
observations it lacks, a relation that is there stays as it is.

Examples:
  $ trellis import memory.jsonl --dry-run
  $ trellis import memory.jsonl                       into the default store
  $ trellis import old.jsonl --store work.db --graph work
`,
    )
    .action(run);
}

async function run(file: string, options: ImportOptions): Promise<void> {
  const settings = await loadSettings(options);
  const path = resolvePath(file);
  const scan = await watched('checking', path, (onBytes) => scanFile(path, onBytes));
  if (options.dryRun) {
    report(path, scan, undefined, options.json === true);
    if (scan.unreadable.length > 0) process.exitCode = 1;
    return;
  }
  if (scan.unreadable.length > 0 && !options.skipUnreadable)
    throw unreadable(path, scan, options.json === true);
  const counts = await load(path, settings);
  report(path, scan, counts, options.json === true);
}

async function load(path: string, settings: Settings): Promise<ImportCounts> {
  const store = await openLocation(settings.location.value);
  try {
    await ensureGraphs(store, settings);
    const graph = new Graph(store, settings.graph.value);
    const author = { actor: localActor().id, tool: 'import' };
    return await watched('importing', path, (onBytes) =>
      loadFile(graph, path, { author, batchLines: batchLines[store.kind], onBytes }),
    );
  } finally {
    await store.close();
  }
}

async function watched<T>(
  what: string,
  path: string,
  work: (onBytes: (count: number) => void) => Promise<T>,
) {
  const size = await stat(path).then(
    (found) => found.size,
    () => 0,
  );
  const progress = new Progress(what, size);
  try {
    return await work((count) => progress.add(count));
  } finally {
    progress.end();
  }
}

function unreadable(path: string, { unreadable: lines }: Scan, json: boolean): TrellisError {
  if (!json) for (const { line, reason } of lines) note(`line ${line} ${reason}`);
  return new TrellisError(
    'INVALID_ARGUMENT',
    `${lines.length === 1 ? '1 line' : `${lines.length} lines`} of ${path} cannot be read; nothing was imported.`,
    { hint: 'Mend them, or pass --skip-unreadable to import the rest.', details: { unreadable: lines } },
  );
}

function report(path: string, scan: Scan, counts: ImportCounts | undefined, json: boolean): void {
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
  for (const { line, reason } of scan.unreadable) note(`line ${line} ${reason}`);
  if (scan.unknownKeys.length > 0)
    note(`keys that have no place in a graph are left out: ${scan.unknownKeys.join(', ')}`);
  const held = `${counted(scan.nodes, 'node')}, ${counted(scan.edges, 'edge')}, ${counted(scan.unreadable.length, 'unreadable line')}`;
  if (counts === undefined) {
    print(`${path} holds ${held}. Nothing was written.`);
    return;
  }
  print(`Imported ${path}: ${held}.`);
  print(
    `  nodes: ${counts.nodesCreated} created, ${counts.nodesMerged} merged (${counts.observationsAdded} observations` +
      ` added), ${counts.nodesUnchanged} unchanged`,
  );
  print(`  edges: ${counts.edgesCreated} created, ${counts.edgesUnchanged} unchanged`);
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
