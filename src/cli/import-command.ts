import type { Command } from 'commander';
import { ensureConfiguredGraphs, withWritableStore } from '../config/open-configured-store.js';
import { loadSettings, type Settings } from '../config/settings.js';
import { isCypherUrl } from '../cypher/cypher-settings.js';
import { Graph } from '../engine/graph.js';
import { requireBranch } from '../engine/history/resolve-ref.js';
import type { ImportCounts } from '../engine/write/import-records.js';
import { formatNamed, importFormats, recogniseFormat } from '../import/formats.js';
import type { ImportFormat, ImportReadOptions, UnreadableImport } from '../import/import-format.js';
import { type ImportInput, openImportInput } from '../import/import-input.js';
import { type LoadOptions, loadImport } from '../import/load-import.js';
import { cannotBeStored, type ImportScan, importItems, scanImport } from '../import/scan-import.js';
import { parseMapping } from '../import/table/column-mapping.js';
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
import { withInputFile } from './transfer/input-file.js';
import { withProgress } from './transfer/progress-bar.js';

interface ImportOptions extends CommonOptions {
  readonly from?: string;
  readonly database?: string;
  readonly map?: readonly string[];
  readonly dryRun?: boolean;
  readonly skipUnreadable?: boolean;
}

/** A JSON lines store rewrites its file with each commit, so it gets few large ones. */
const batchItems = { sqlite: 5_000, postgres: 5_000, jsonl: 50_000 } as const;

/** A file of another kind must not fill the screen. */
const maxNoted = 20;

const help = `
Kinds, recognised by their content:
${importFormats.map(({ kind, title }) => `  ${kind.padEnd(19)}${title}`).join('\n')}

Everything is checked first; if a part cannot be read, nothing is written. Then it is written in
batches, one commit each. An import can be repeated, even after an interruption: an existing node
keeps its type and gets the observations it lacks; an existing relation is unchanged.

Examples:
  $ trellis import memory.jsonl --dry-run
  $ trellis import memory.jsonl                       into the default store
  $ trellis import old.jsonl --store work.db --graph work
  $ trellis import people.csv --map employer=edge:works_at
  $ trellis import ~/Notes                            an Obsidian vault
  $ trellis import ~/.claude/projects --branch past   conversations with Claude Code
  $ gunzip < old.jsonl.gz | trellis import -
  $ trellis import --from bolt://localhost:7687       a graph database
`;

export function define(command: Command): void {
  command.argument('[source]', 'the file or folder to import; - for standard input');
  jsonOption(authorOptions(branchOption(graphOption(locationOptions(command)))))
    .option('--from <kind>', 'what it is, if it is not recognised, or the URL of a graph database; see below')
    .option('--database <name>', 'the database at that URL')
    .option(
      '--map <columns>',
      'what columns of a table become, such as title=name,boss=edge:reports_to; can be repeated',
      (value: string, given: readonly string[] = []) => [...given, value],
    )
    .option('--dry-run', 'show what the file has and which lines cannot be read; write nothing')
    .option('--skip-unreadable', 'import the rest if some lines cannot be read')
    .addHelpText('after', help)
    .action(run);
}

async function run(given: string | undefined, options: ImportOptions): Promise<void> {
  const settings = await loadSettings(options);
  if (options.from !== undefined && isCypherUrl(options.from))
    return importFromDatabase(options.from, given, settings, options);
  if (given === undefined)
    throw new TrellisError('USAGE', "Missing required argument 'source'.", {
      hint: 'Name a file or folder, - for standard input, or a graph database with --from bolt://…',
    });
  const named = options.from === undefined ? undefined : formatNamed(options.from);
  // The input is read twice: nothing is written before all of it is checked.
  await withInputFile(given, async ({ name, path }) => {
    const input = await openImportInput(name, path);
    await importInput(named ?? (await recogniseFormat(input)), input, settings, options);
  });
}

/** Can be repeated, also after an interruption, as any import. */
async function importFromDatabase(
  url: string,
  given: string | undefined,
  settings: Settings,
  options: ImportOptions,
): Promise<void> {
  if (given !== undefined || options.dryRun === true || options.map !== undefined)
    throw new TrellisError('USAGE', 'With --from and a URL, there is no file, no --dry-run and no --map.');
  const { TemporaryConnection } = await import('../cypher/cypher-access.js');
  const { authIn } = await import('../gate/cypher/target-settings.js');
  const { readFromDatabase } = await import('../transfer/graph-database/read-from-database.js');
  const access = new TemporaryConnection({ url, database: options.database, ...authIn(url) });
  const counts = await access.use((connection) =>
    loadItems(settings, options, (graph, load) =>
      loadImport(graph, readFromDatabase(connection, access.name), load),
    ),
  );
  if (options.json) print({ from: access.name, imported: imported(counts) });
  else print([`Imported ${access.name}.`, ...countLines(counts)].join('\n'));
}

async function importInput(
  format: ImportFormat,
  input: ImportInput,
  settings: Settings,
  options: ImportOptions,
): Promise<void> {
  const reading = { mapping: parseMapping(options.map ?? []) };
  if (reading.mapping.size > 0 && format.explain === undefined)
    throw new TrellisError('USAGE', `--map is for tables, and ${input.name} is of the kind ${format.kind}.`, {
      hint: 'Leave it out, or name another kind with --from.',
    });
  for (const line of (await format.explain?.(input, reading)) ?? []) note(line);
  const scan = await watching('checking', input, (watched) => scanImport(format, watched, reading));
  const result = { format, input, scan };
  if (options.dryRun) {
    report(result, undefined, options.json === true);
    if (scan.unreadable.length > 0) process.exitCode = 1;
    return;
  }
  if (scan.unreadable.length > 0 && !options.skipUnreadable) throw unreadable(result, options.json === true);
  report(result, await load(format, input, reading, settings, options), options.json === true);
}

interface CheckedImport {
  readonly format: ImportFormat;
  readonly input: ImportInput;
  readonly scan: ImportScan;
}

function load(
  format: ImportFormat,
  input: ImportInput,
  reading: ImportReadOptions,
  settings: Settings,
  options: ImportOptions,
): Promise<ImportCounts> {
  return loadItems(settings, options, (graph, how) =>
    watching('importing', input, (watched) => loadImport(graph, importItems(format, watched, reading), how)),
  );
}

async function loadItems(
  settings: Settings,
  options: ImportOptions,
  work: (graph: Graph, how: LoadOptions) => Promise<ImportCounts>,
): Promise<ImportCounts> {
  const { branch = mainBranch } = options;
  const author = commandAuthor(options, 'import');
  return withWritableStore(settings.location.value, async (store) => {
    await ensureConfiguredGraphs(store, settings);
    await requireBranch(store, settings.graph.value, branch);
    const graph = new Graph(store, settings.graph.value, { branch });
    return await work(graph, { author, batchItems: batchItems[store.kind] });
  });
}

function watching<T>(what: string, input: ImportInput, work: (input: ImportInput) => Promise<T>): Promise<T> {
  return withProgress((bar) => {
    bar.begin(what, input.bytes);
    return work({ ...input, onBytes: (count) => bar.advance(count) });
  });
}

function unreadable({ format, input, scan }: CheckedImport, json: boolean): TrellisError {
  const lines = scan.unreadable;
  if (!json) noteUnreadable(scan);
  return new TrellisError(
    'INVALID_ARGUMENT',
    `${pluralize(lines.length, 'line')} of ${input.name} cannot be read; nothing was imported.`,
    { hint: unreadableHint(format, scan), details: { unreadable: lines.map(unreadableJson) } },
  );
}

function unreadableHint({ kind }: ImportFormat, { nodes, edges, unreadable: lines }: ImportScan): string {
  const inFormat = nodes + edges > 0 || lines.some(({ reason }) => reason.startsWith(cannotBeStored));
  if (inFormat) return 'Fix them, or pass --skip-unreadable to import the rest.';
  if (kind !== 'memory') return `Nothing in it is of the kind ${kind}; name another with --from.`;
  return 'No line is in the memory or mesh format. Name the kind with --from; use trellis ingest for the graph format, and trellis copy for databases.';
}

function report(
  { format, input, scan }: CheckedImport,
  counts: ImportCounts | undefined,
  json: boolean,
): void {
  if (json) {
    print({
      file: input.name,
      kind: format.kind,
      dry_run: counts === undefined,
      nodes: scan.nodes,
      edges: scan.edges,
      unreadable: scan.unreadable.map(unreadableJson),
      unknown_keys: scan.leftOut,
      ...(input.files === undefined ? {} : { other_files: scan.otherFiles }),
      ...(counts === undefined ? {} : { imported: imported(counts) }),
    });
    return;
  }
  noteUnreadable(scan);
  if (scan.leftOut.length > 0) note(`unknown keys are left out: ${scan.leftOut.join(', ')}`);
  if (scan.otherFiles > 0) note(`${pluralize(scan.otherFiles, 'other file')} of the folder not read`);
  if (format.losses.length > 0) note(`left out: ${format.losses.join('; ')}`);
  const held = `${pluralize(scan.nodes, 'node')}, ${pluralize(scan.edges, 'edge')}, ${pluralize(scan.unreadable.length, 'unreadable line')}`;
  const of = format.kind === 'memory' ? '' : ` (${format.kind})`;
  if (counts === undefined) print(`${input.name}${of} has ${held}. Nothing was written.`);
  else print([`Imported ${input.name}${of}: ${held}.`, ...countLines(counts)].join('\n'));
}

function countLines(counts: ImportCounts): readonly string[] {
  return [
    `  nodes: ${counts.nodesCreated} created, ${counts.nodesMerged} merged (${pluralize(counts.observationsAdded, 'observation')} added), ${counts.nodesUnchanged} unchanged`,
    `  edges: ${counts.edgesCreated} created, ${counts.edgesUnchanged} unchanged`,
  ];
}

function unreadableJson({ file, line, reason }: UnreadableImport): object {
  return { ...(file === undefined ? {} : { file }), line, reason };
}

function noteUnreadable({ unreadable }: ImportScan): void {
  for (const { file, line, reason } of unreadable.slice(0, maxNoted))
    note(`${file === undefined ? '' : `${file} `}line ${line} ${reason}`);
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
