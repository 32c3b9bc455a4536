import { realpath } from 'node:fs/promises';
import { type Command, InvalidArgumentError } from 'commander';
import {
  openConfiguredStore,
  openExistingStore,
  requireGraph,
  withStore,
} from '../config/open-configured-store.js';
import { isUrl, resolvePath } from '../config/paths.js';
import type { StoreLocation } from '../config/settings.js';
import { TrellisError } from '../model/error.js';
import { graphNames } from '../store/graph-names.js';
import type { Store } from '../store/store-contract.js';
import { type CopyResult, copyGraph } from '../transfer/copy-graph.js';
import { copyLosses, jsonlFileLosses } from '../transfer/copy-losses.js';
import { authorOptions, type CommonOptions, commandAuthor, jsonOption } from './command-options.js';
import { note, pluralize, print } from './print.js';
import { withProgress } from './transfer/progress-bar.js';

interface CopyOptions extends Pick<CommonOptions, 'as' | 'message'> {
  readonly from: StoreLocation;
  readonly to: StoreLocation;
  readonly graph?: string;
  readonly allowLoss?: boolean;
  readonly json?: boolean;
}

const help = `
Between databases, commits and branches are copied too, with their ids, times and authors. A JSON
lines file holds only the current state of one graph; a copy that would lose more is refused with a
list, unless you pass --allow-loss. The source is only read.

The target must not have a graph of that name, unless it is an earlier copy of the same source. Then
the copy continues where that one ended, so you can simply repeat an interrupted copy. At the end,
both sides are read and their digests compared.

Examples:
  $ trellis copy --from trellis.db --to postgres://trellis@db.example.com/trellis
  $ trellis copy --from memory.jsonl --to trellis.db
  $ trellis copy --from trellis.db --graph work --to work.jsonl --allow-loss
`;

export function define(command: Command): void {
  command
    .requiredOption(
      '--from <store>',
      'the store to copy: a path ending in .db, .jsonl or .json, or a URL',
      parseStoreLocation,
    )
    .requiredOption(
      '--to <store>',
      'the store to copy into; created if it does not exist',
      parseStoreLocation,
    )
    .option('--graph <name>', 'copy this graph only (default: every graph of the store)')
    .option('--allow-loss', 'copy even if the target cannot hold everything');
  jsonOption(authorOptions(command)).addHelpText('after', help).action(run);
}

async function run(options: CopyOptions): Promise<void> {
  const author = commandAuthor(options, 'copy');
  await withStore(openExistingStore(options.from), async (source) => {
    const fileLosses = source.kind === 'jsonl' ? await jsonlFileLosses(options.from.path) : [];
    refuseLosses(fileLosses, options, 'Fix these lines');
    await withStore(openConfiguredStore(options.to), async (target) => {
      await refuseSame(source, target);
      const graphs = await graphsToCopy(source, target, options);
      const losses = [...fileLosses];
      for (const graph of graphs) {
        const own = await copyLosses(source, graph, target.capabilities);
        losses.push(...(graphs.length > 1 ? own.map((loss) => `${graph}: ${loss}`) : own));
      }
      refuseLosses(losses, options, lossless(source, target));
      const copied: CopyResult[] = [];
      for (const graph of graphs)
        copied.push(await withProgress((listener) => copyGraph(source, target, graph, { author, listener })));
      report(source, target, copied, losses, options.json === true);
    });
  });
}

function parseStoreLocation(value: string): StoreLocation {
  if (value === '') throw new InvalidArgumentError('It must not be empty.');
  return { kind: 'store', path: isUrl(value) ? value : resolvePath(value) };
}

async function graphsToCopy(source: Store, target: Store, { graph }: CopyOptions): Promise<string[]> {
  if (graph !== undefined) {
    await requireGraph(source, graph);
    return [graph];
  }
  const names = await graphNames(source);
  if (names.length > 1 && !target.capabilities.graphs)
    throw new TrellisError(
      'CAPABILITY_MISSING',
      `${source.location} has ${names.length} graphs, and a JSON lines file holds only one: ${names.join(', ')}.`,
      { hint: 'Choose one with --graph, and copy each into its own file.', details: { graphs: names } },
    );
  return names;
}

/** How to copy everything. */
function lossless(source: Store, target: Store): string {
  if (!target.capabilities.branches) return 'Copy into a database';
  return `To keep everything, use ${source.kind === 'postgres' ? 'pg_dump' : 'trellis backup'}`;
}

function refuseLosses(
  losses: readonly string[],
  { allowLoss, from, json }: CopyOptions,
  otherWay: string,
): void {
  if (losses.length === 0 || allowLoss) return;
  if (!json) for (const loss of losses) note(`would be lost: ${loss}`);
  throw new TrellisError(
    'CAPABILITY_MISSING',
    `Not everything in ${isUrl(from.path) ? 'the source' : from.path} can be copied, so nothing was copied.`,
    { hint: `${otherWay}, or accept the loss with --allow-loss.`, details: { losses } },
  );
}

async function refuseSame(source: Store, target: Store): Promise<void> {
  const realLocation = ({ kind, location }: Store) =>
    kind === 'postgres' ? location : realpath(location).catch(() => location);
  if ((await realLocation(source)) !== (await realLocation(target))) return;
  throw new TrellisError('USAGE', '--from and --to are the same store.', { hint: 'Choose another target.' });
}

function report(
  source: Store,
  target: Store,
  copied: readonly CopyResult[],
  losses: readonly string[],
  json: boolean,
): void {
  if (json) {
    const graphs = copied.map(({ graph, history, commits, alreadyThere, digest }) => ({
      ...{ name: graph, history, commits, already_there: alreadyThere, digest },
    }));
    print({ from: source.location, to: target.location, graphs, lost: losses });
    return;
  }
  for (const loss of losses) note(`lost: ${loss}`);
  for (const { graph, history, commits, alreadyThere, digest } of copied) {
    const before = alreadyThere === 0 ? '' : ` (${alreadyThere} already there)`;
    print(`Copied ${graph}: ${pluralize(commits, 'commit')}${before}${history ? '' : ', without history'}.`);
    print(`  digest ${digest}`);
  }
  if (copied.length === 0) print(`There is no graph in ${source.location}.`);
}
