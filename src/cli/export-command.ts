import { realpath } from 'node:fs/promises';
import { Writable } from 'node:stream';
import type { Command } from 'commander';
import { openExistingStore, requireGraph, withStore } from '../config/open-configured-store.js';
import { resolvePath } from '../config/paths.js';
import { loadSettings } from '../config/settings.js';
import { TrellisError } from '../model/error.js';
import type { LineFormat } from '../store/jsonl/lines/line-record.js';
import type { Store } from '../store/store-contract.js';
import { type ExportSource, readerSource } from '../transfer/export-source.js';
import { branchOption, type CommonOptions, dataOptions } from './command-options.js';
import { note, pluralize, print } from './print.js';
import { drawingFormats, writeDrawing } from './transfer/write-drawing.js';
import { folderFormats, writeFolder } from './transfer/write-folder.js';
import { copyNdjson, type WrittenGraph, writeGraph, writeNdjson } from './transfer/write-graph.js';
import { checkReplaceable, writeNewFile } from './transfer/write-new-file.js';

interface ExportOptions extends CommonOptions {
  readonly format: string;
  readonly force?: boolean;
  readonly dryRun?: boolean;
  readonly ids?: boolean;
  readonly to?: string;
  readonly database?: string;
}

const standardOutput = 'standard output';

type ExportFormat = LineFormat | 'graph' | keyof typeof drawingFormats | keyof typeof folderFormats;

const formats: readonly ExportFormat[] = [
  ...(['memory', 'mesh', 'graph', 'dot', 'graphml', 'mermaid', 'csv', 'markdown'] as const),
];

const help = `
Formats:
  memory   {"type":"entity","name","entityType","observations"}
           {"type":"relation","from","to","relationType"}
  mesh     {"type":"node","name","nodeType","metadata"}
           {"type":"edge","from","to","edgeType","weight"}
  graph    {"type","data"} and {"edge","from","to","data"}, which trellis ingest reads;
           with --ids, as Omnigraph writes them: with the id of each node, and of each edge
           that has a key
  dot, graphml, mermaid
           a drawing, for Graphviz, Gephi and others, or a Markdown page
  csv      a folder with nodes.csv and edges.csv
  markdown a folder with one note per node, with links, for Obsidian
In memory and mesh, summaries, tags, properties and, in memory, weights are extra keys, which other
programs ignore and trellis import reads. Standard error reports what is left out.
A file appears complete or not at all, and only you can read it. --json prints the counts, on
standard error if the graph itself goes to standard output.

Examples:
  $ trellis export memory.jsonl
  $ trellis export memory.jsonl --dry-run
  $ trellis export --graph work --format mesh | gzip > work.jsonl.gz
  $ trellis export --format dot | dot -Tsvg > memory.svg
  $ trellis export notes --format markdown
  $ trellis export --to bolt://localhost:7687
`;

export function define(command: Command): void {
  command.argument(
    '[file]',
    'the file or, for csv and markdown, the folder to write; - for standard output',
    '-',
  );
  dataOptions(branchOption(command))
    .option('--format <format>', 'memory, mesh, graph, dot, graphml, mermaid, csv or markdown', 'memory')
    .option('--ids', 'in the graph format, write the id of every node and edge')
    .option('--to <url>', 'a graph database to publish to: bolt://, neo4j:// or falkor://')
    .option('--database <name>', 'the database there')
    .option('--force', 'overwrite an existing file')
    .option('--dry-run', 'show what would be written and left out; write nothing')
    .addHelpText('after', help)
    .action(run);
}

async function run(file: string, options: ExportOptions): Promise<void> {
  if (options.to !== undefined) return exportToDatabase(options.to, file, options);
  const format = parseFormat(options.format);
  if (options.ids === true && format !== 'graph') throw idsNeedGraph();
  if (options.url !== undefined) return exportFromServer(format, options.url, file, options);
  const settings = await loadSettings(options);
  await withStore(openExistingStore(settings.location.value), async (store) => {
    const target = { graph: settings.graph.value, branch: options.branch };
    await requireGraph(store, target.graph);
    await refuseStoreFile(store, resolvePath(file));
    if (format === 'graph')
      await writeAndReport(file, options, (output) =>
        writeNdjson(store, target, output, { ids: options.ids }),
      );
    else
      await writeFormat(format, file, options, (work) =>
        store.read(target, (reader) => work(readerSource(reader))),
      );
  });
}

/** Can be repeated, also after an interruption. */
async function exportToDatabase(url: string, file: string, options: ExportOptions): Promise<void> {
  if (file !== '-' || options.url !== undefined || options.dryRun === true)
    throw new TrellisError('USAGE', '--to takes no file, no --url and no --dry-run.', {
      hint: 'Use for example: trellis export --to bolt://localhost:7687',
    });
  const { TemporaryConnection } = await import('../cypher/cypher-access.js');
  const { authIn } = await import('../gate/cypher/target-settings.js');
  const { writeToDatabase } = await import('../transfer/graph-database/write-to-database.js');
  const access = new TemporaryConnection({ url, database: options.database, ...authIn(url) });
  const settings = await loadSettings(options);
  await withStore(openExistingStore(settings.location.value), async (store) => {
    const target = { graph: settings.graph.value, branch: options.branch };
    await requireGraph(store, target.graph);
    const written = await store.read(target, (reader) => writeToDatabase(readerSource(reader), access));
    report({ ...written, leftOut: ['the history (commits and times) is left out'] }, access.name, options);
  });
}

async function writeFormat(
  format: Exclude<ExportFormat, 'graph'>,
  file: string,
  options: ExportOptions,
  read: <T>(work: (source: ExportSource) => Promise<T>) => Promise<T>,
): Promise<void> {
  if (isFolderFormat(format)) {
    if (file === '-') throw folderNeeded(format);
    const path = resolvePath(file);
    const write = (source: ExportSource) => writeFolder(source, format, path, options.dryRun === true);
    return report(await read(write), path, options);
  }
  await writeAndReport(file, options, (output) =>
    read((source) =>
      isDrawingFormat(format) ? writeDrawing(source, format, output) : writeGraph(source, format, output),
    ),
  );
}

async function writeAndReport(
  file: string,
  options: ExportOptions,
  write: (output: NodeJS.WritableStream) => Promise<WrittenGraph>,
): Promise<void> {
  const { dryRun = false, force = false } = options;
  const path = resolvePath(file);
  const where = file === '-' ? standardOutput : path;
  if (dryRun) {
    if (file !== '-') await checkReplaceable(path, force);
    report(await write(discardStream()), where, options);
    return;
  }
  report(file === '-' ? await write(process.stdout) : await writeNewFile(path, force, write), where, options);
}

/** A server exports the graph format, which holds what the others need. */
async function exportFromServer(
  format: ExportFormat,
  url: string,
  file: string,
  options: ExportOptions,
): Promise<void> {
  const { branch, ids } = options;
  const { connectGraph } = await import('./remote/remote-graph.js');
  const graph = await connectGraph(url, options);
  const chunks = await graph.export({ branch, ids: ids === true ? 'true' : undefined });
  if (format === 'graph') return writeAndReport(file, options, (output) => copyNdjson(chunks, output));
  const { readExportedLines } = await import('../transfer/read-exported-lines.js');
  const { remoteKeys } = await import('./remote/remote-keys.js');
  const source = readExportedLines(chunks, remoteKeys(graph, branch));
  await writeFormat(format, file, options, async (work) => work(await source));
}

/** An export holds less than its store, so it must not overwrite it. */
async function refuseStoreFile({ location }: Store, path: string): Promise<void> {
  const [own, target] = await Promise.all(
    [location, path].map((name) => realpath(name).catch(() => undefined)),
  );
  if (own === undefined || own !== target) return;
  throw new TrellisError('INVALID_ARGUMENT', `${path} is the store itself.`, {
    hint: 'Export to another file.',
  });
}

function parseFormat(name: string): ExportFormat {
  const format = formats.find((candidate) => candidate === name);
  if (format === undefined)
    throw new TrellisError('USAGE', `There is no format named ${JSON.stringify(name)}.`, {
      hint: `Use one of: ${formats.join(', ')}.`,
    });
  return format;
}

function isDrawingFormat(format: ExportFormat): format is keyof typeof drawingFormats {
  return Object.hasOwn(drawingFormats, format);
}

function isFolderFormat(format: ExportFormat): format is keyof typeof folderFormats {
  return Object.hasOwn(folderFormats, format);
}

function folderNeeded(format: string): TrellisError {
  return new TrellisError('USAGE', `The ${format} format writes several files.`, {
    hint: `Name a new folder: trellis export notes --format ${format}`,
  });
}

function idsNeedGraph(): TrellisError {
  return new TrellisError('USAGE', 'Only the graph format has ids.', {
    hint: 'Use: trellis export --format graph --ids',
  });
}

function discardStream(): NodeJS.WritableStream {
  return new Writable({ write: (_chunk, _encoding, done) => done() });
}

function report(written: WrittenGraph, where: string, { json = false, dryRun = false }: ExportOptions): void {
  const { nodes, edges, leftOut } = written;
  if (json) {
    const summary = { file: where, nodes, edges, left_out: leftOut, ...(dryRun ? { dry_run: true } : {}) };
    if (where === standardOutput && !dryRun) process.stderr.write(`${JSON.stringify(summary)}\n`);
    else print(summary);
    return;
  }
  note(
    `${dryRun ? 'would write' : 'wrote'} ${pluralize(nodes, 'node')} and ${pluralize(edges, 'edge')} to ${where}`,
  );
  for (const line of leftOut) note(line);
}
