import { type Command, Option } from 'commander';
import { openExistingStore, requireGraph, withStore } from '../config/open-configured-store.js';
import { loadSettings, settingsOfGraph } from '../config/settings.js';
import { TrellisError } from '../model/error.js';
import { openEmbedder } from '../search/embedders/open-embedder.js';
import { embedGraph } from '../search/embedding/embed-graph.js';
import { embeddingSpacesOf } from '../search/embedding/embedding-spaces.js';
import { embedStoredProperties } from '../search/embedding/properties/embed-stored-properties.js';
import { maintainSimilarNodes, needsMaintenance } from '../search/similar/maintain-similar-nodes.js';
import { graphNames } from '../store/graph-names.js';
import type { Store } from '../store/store-contract.js';
import { warnOnStderr } from '../store/store-options.js';
import { type CommonOptions, jsonOption, locationOptions } from './command-options.js';
import { note, pluralize, print } from './print.js';
import { withProgress } from './transfer/progress-bar.js';

interface EmbedOptions extends CommonOptions {
  /** The old name of `--graph`. */
  readonly workspace?: string;
  readonly again?: boolean;
  readonly model?: string;
}

const help = `
Computes a vector for every text that has none, so that it can be found by meaning. Then it finds
similar nodes of larger graphs, so that find_similar_nodes has less to do. It also fills the @embed
properties of graph schemas, on every branch; with --again, also those that were written by hand.
embedding.provider in trellis.yaml, or TRELLIS_EMBEDDING_PROVIDER, chooses the embedder: local (the
default), ollama, openai, onnx or none; --model chooses the folder of an onnx model for this run. If
interrupted, run it again to continue.

Examples:
  $ trellis embed
  $ trellis embed --graph work --again
  $ trellis embed --model ~/models/all-MiniLM-L6-v2
`;

export function define(command: Command): void {
  locationOptions(command)
    .option('--graph <name>', 'embed this graph only (default: every graph of the store)')
    .addOption(new Option('--workspace <name>', 'the old name of --graph').hideHelp())
    .option('--model <folder>', 'embed with the sentence-transformer in this folder (provider onnx)')
    .option('--again', 'drop the existing vectors and embed everything again');
  jsonOption(command).addHelpText('after', help).action(run);
}

async function run(options: EmbedOptions): Promise<void> {
  if (options.workspace !== undefined) note('--workspace is now --graph');
  const settings = await loadSettings(options);
  const { model } = options;
  const embedder = await openEmbedder(
    model === undefined ? settings.defaults.embedding.value : { provider: 'onnx', model },
  );
  if (embedder === null)
    throw new TrellisError('USAGE', 'No embedder is configured: the provider is none.', {
      hint: 'Set TRELLIS_EMBEDDING_PROVIDER to local, ollama, openai or onnx.',
    });
  await withStore(openExistingStore(settings.location.value), async (store) => {
    const { vectors } = store;
    if (vectors === null)
      throw new TrellisError('CAPABILITY_MISSING', `${store.location} cannot hold vectors.`, {
        hint: 'Import it into a database with: trellis import FILE --store trellis.db',
      });
    const graphs: { name: string; embedded: number; vectors: number }[] = [];
    for (const name of await graphsToEmbed(store, options)) {
      if (options.again) await vectors.forget(name);
      await withProgress(async (bar) => {
        bar.begin(`embedding ${name}`, await estimateTexts(store, name));
        const progress = (count: number) => bar.advance(count);
        // First, since a node that gets a vector is a new version, whose text is embedded in its turn.
        const filled = await embedStoredProperties({
          ...{ store, graph: name, embedder, wanted: options.again ? 'all' : 'missing' },
          progress,
          warn: warnOnStderr,
        });
        const perspectives = settingsOfGraph(settings, name).perspectives.value;
        const embedded = await embedGraph({ vectors, graph: name, embedder, perspectives, progress });
        for (const { space, perspective } of await embeddingSpacesOf({ embedder, perspectives })) {
          const maintained = { store, graph: name, spaces: [space] };
          if (!(await needsMaintenance(maintained))) continue;
          bar.begin(`comparing nodes of ${name} (${perspective.name}), steps:`);
          await maintainSimilarNodes({ ...maintained, sliceMs: 1_000, pause: async () => bar.advance(1) });
        }
        graphs.push({ name, embedded, vectors: filled });
      });
    }
    if (options.json) print({ store: store.location, model: embedder.id, graphs });
    else for (const graph of graphs) print(`Embedded ${graph.name}: ${summary(graph)}.`);
  });
}

function summary({ embedded, vectors }: { readonly embedded: number; readonly vectors: number }): string {
  const texts = pluralize(embedded, 'text');
  return vectors === 0 ? texts : `${texts}, ${pluralize(vectors, 'vector')} of the schema`;
}

async function graphsToEmbed(
  store: Store,
  { workspace, graph = workspace }: EmbedOptions,
): Promise<string[]> {
  if (graph === undefined) return await graphNames(store);
  await requireGraph(store, graph);
  return [graph];
}

/** Texts of older versions are embedded too, so this is only an estimate. */
async function estimateTexts(store: Store, graph: string): Promise<number> {
  const { nodes, observations } = await store.read({ graph }, (reader) => reader.counts());
  return nodes + observations;
}
