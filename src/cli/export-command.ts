import { realpath } from 'node:fs/promises';
import { Writable } from 'node:stream';
import type { Command } from 'commander';
import { openExistingStore, requireGraph, withStore } from '../config/open-configured-store.js';
import { resolvePath } from '../config/paths.js';
import { loadSettings } from '../config/settings.js';
import { TrellisError } from '../model/error.js';
import type { LineFormat } from '../store/jsonl/lines/line-record.js';
import type { Store } from '../store/store-contract.js';
import {
  branchOption,
  type CommonOptions,
  graphOption,
  jsonOption,
  locationOptions,
} from './command-options.js';
import { note, pluralize, print } from './print.js';
import { type WrittenGraph, writeGraph, writeNdjson } from './transfer/write-graph.js';
import { checkReplaceable, writeNewFile } from './transfer/write-new-file.js';

interface ExportOptions extends CommonOptions {
  readonly format: string;
  readonly force?: boolean;
  readonly dryRun?: boolean;
}

const standardOutput = 'standard output';

type ExportFormat = LineFormat | 'graph';

const formats: readonly ExportFormat[] = ['memory', 'mesh', 'graph'];

const help = `
Formats:
  memory   {"type":"entity","name","entityType","observations"}
           {"type":"relation","from","to","relationType"}
  mesh     {"type":"node","name","nodeType","metadata"}
           {"type":"edge","from","to","edgeType","weight"}
  graph    {"type","data"} and {"edge","from","to","data"}, which trellis ingest reads
Summaries, tags, properties and, in the memory format, weights are extra keys, which other programs
ignore and trellis import reads. History and provenance are left out, which standard error reports.
A file appears complete or not at all, and only you can read it. --json prints the counts, on
standard error if the graph itself goes to standard output.

Examples:
  $ trellis export memory.jsonl
  $ trellis export memory.jsonl --dry-run
  $ trellis export --graph work --format mesh | gzip > work.jsonl.gz
`;

export function define(command: Command): void {
  command.argument('[file]', 'the file to write; - for standard output', '-');
  jsonOption(branchOption(graphOption(locationOptions(command))))
    .option('--format <format>', 'the line format: memory, mesh or graph', 'memory')
    .option('--force', 'overwrite an existing file')
    .option('--dry-run', 'show what would be written and left out; write nothing')
    .addHelpText('after', help)
    .action(run);
}

async function run(file: string, options: ExportOptions): Promise<void> {
  const settings = await loadSettings(options);
  const format = parseFormat(options.format);
  await withStore(openExistingStore(settings.location.value), async (store) => {
    const target = { graph: settings.graph.value, branch: options.branch };
    await requireGraph(store, target.graph);
    const write = (output: NodeJS.WritableStream) =>
      format === 'graph' ? writeNdjson(store, target, output) : writeGraph(store, target, format, output);
    const path = resolvePath(file);
    await refuseStoreFile(store, path);
    const where = file === '-' ? standardOutput : path;
    if (options.dryRun === true) {
      if (file !== '-') await checkReplaceable(path, options.force === true);
      report(await write(discardStream()), where, options);
      return;
    }
    const written =
      file === '-' ? await write(process.stdout) : await writeNewFile(path, options.force === true, write);
    report(written, where, options);
  });
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
  if (format === undefined) {
    throw new TrellisError('USAGE', `There is no format named ${JSON.stringify(name)}.`, {
      hint: `Use one of: ${formats.join(', ')}.`,
    });
  }
  return format;
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
