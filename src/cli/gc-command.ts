import type { Command } from 'commander';
import type { GraphSettings } from '../config/graph-settings.js';
import { openExistingStore, requireGraph, withStore } from '../config/open-configured-store.js';
import { loadSettings, settingsOfGraph } from '../config/settings.js';
import { openEmbedder } from '../search/embedders/open-embedder.js';
import { dropUnusedVectors } from '../search/embedding/embedding-spaces.js';
import { graphNames } from '../store/graph-names.js';
import type { CollectResult } from '../store/maintenance.js';
import type { Store } from '../store/store-contract.js';
import { type CommonOptions, jsonOption, locationOptions } from './command-options.js';
import { parseDuration } from './history/parse-time.js';
import { printable } from './history/printable.js';
import { pluralize, print } from './print.js';
import { withProgress } from './transfer/progress-bar.js';

interface GcOptions extends CommonOptions {
  readonly keep: number;
  readonly dryRun?: boolean;
}

const help = `
Deletes old versions that no branch, no commit within the time to keep and no merge between
existing branches needs. The content of branches does not change. Commits that can no longer be
read stay in trellis log. It works in batches while others read and write; if interrupted, run it
again to continue.

Examples:
  $ trellis gc --keep 30d --dry-run
  $ trellis gc --keep 2w
`;

export function define(command: Command): void {
  command
    .requiredOption(
      '--keep <duration>',
      'how long commits stay readable, such as 30d, 12h or 2w',
      parseDuration,
    )
    .option('--graph <name>', 'collect this graph only (default: every graph of the store)')
    .option('--dry-run', 'count what would be deleted; delete nothing');
  jsonOption(locationOptions(command)).addHelpText('after', help).action(run);
}

interface CollectedGraph extends CollectResult {
  readonly graph: string;
  /** How many unused perspectives there are vectors of. */
  readonly perspectives: number;
}

async function run(options: GcOptions): Promise<void> {
  const { keep, dryRun = false } = options;
  const settings = await loadSettings(options);
  await withStore(openExistingStore(settings.location.value), async (store) => {
    const collected: CollectedGraph[] = [];
    for (const graph of await graphsToCollect(store, options))
      collected.push({
        graph,
        ...(await withProgress((progress) =>
          store.collect(graph, { before: Date.now() - keep, dryRun, progress }),
        )),
        perspectives: await collectVectors(store, graph, settingsOfGraph(settings, graph), dryRun),
      });
    if (options.json) print({ store: store.location, dry_run: dryRun, graphs: collected });
    else for (const graph of collected) print(collectedLine(graph, dryRun));
  });
}

async function collectVectors(
  { vectors }: Store,
  graph: string,
  { embedding, perspectives }: GraphSettings,
  dryRun: boolean,
): Promise<number> {
  const embedder = vectors === null ? null : await openEmbedder(embedding.value);
  if (vectors === null || embedder === null) return 0;
  return dropUnusedVectors(vectors, graph, { embedder, perspectives: perspectives.value }, dryRun);
}

async function graphsToCollect(store: Store, { graph }: GcOptions): Promise<string[]> {
  if (graph === undefined) return await graphNames(store);
  await requireGraph(store, graph);
  return [graph];
}

function collectedLine(collected: CollectedGraph, dryRun: boolean): string {
  const { graph, commits, nodes, observations, edges, perspectives } = collected;
  const versions = [
    pluralize(nodes, 'node'),
    pluralize(observations, 'observation'),
    pluralize(edges, 'edge'),
  ];
  const verb = dryRun ? 'would delete' : 'deleted';
  return `${printable(graph)}: ${verb} old versions of ${versions.join(', ')}; ${pluralize(commits, 'commit')} can${dryRun ? ' then' : ''} no longer be read.${perspectives === 0 ? '' : ` Vectors: ${verb} those of ${pluralize(perspectives, 'perspective')}.`}`;
}
