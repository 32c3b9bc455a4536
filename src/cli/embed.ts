import type { Command } from 'commander';
import { loadSettings } from '../config/load-settings.js';
import { openExisting, requireGraph } from '../config/open-location.js';
import { settingsOfGraph } from '../config/settings.js';
import { TrellisError } from '../model/error.js';
import { openEmbedder } from '../search/embedders/open-embedder.js';
import { embedGraph } from '../search/embedding/embed-graph.js';
import type { Store } from '../store/contract.js';
import { counted } from './counted.js';
import { type CommonOptions, jsonOption, locationOptions } from './options.js';
import { print } from './print.js';
import { Progress } from './transfer/progress.js';

interface EmbedOptions extends CommonOptions {
  readonly workspace?: string;
  readonly again?: boolean;
}

export function define(command: Command): void {
  locationOptions(command)
    .option('--workspace <name>', 'embed this graph only (default: every graph of the store)')
    .option('--again', 'drop the vectors there are, and embed everything anew');
  jsonOption(command)
    .addHelpText(
      'after',
      `
Gives every text that has none yet a vector, so that it can be found by what it means. Which embedder makes them is
said by embedding.provider in trellis.yaml, or TRELLIS_EMBEDDING_PROVIDER: local (the default), ollama, openai, transformers or none. What is interrupted goes
on where it ended when the command is run again.

Examples:
  $ trellis embed
  $ trellis embed --workspace work --again
`,
    )
    .action(run);
}

async function run(options: EmbedOptions): Promise<void> {
  const settings = await loadSettings(options);
  // Whoever embeds is the same for every graph.
  const embedder = await openEmbedder(settings.otherGraphs.embedding.value);
  if (embedder === null) {
    throw new TrellisError('USAGE', 'The embedder is none, so there is nothing to embed with.', {
      hint: 'Set TRELLIS_EMBEDDING_PROVIDER to local, ollama, openai or transformers.',
    });
  }
  const store = await openExisting(settings.location.value);
  try {
    const { vectors } = store;
    if (vectors === null) {
      throw new TrellisError('CAPABILITY_MISSING', `${store.location} has no place for vectors.`, {
        hint: 'Import it into a database first: trellis import.',
      });
    }
    const graphs: { name: string; embedded: number }[] = [];
    for (const name of await graphsToEmbed(store, options.workspace)) {
      if (options.again) await vectors.forget(name);
      const progress = new Progress(`embedding ${name}`, await textsOf(store, name));
      try {
        const embedded = await embedGraph({
          ...{ vectors, graph: name, embedder },
          perspectives: settingsOfGraph(settings, name).perspectives.value,
          progress: (texts) => progress.add(texts),
        });
        graphs.push({ name, embedded });
      } finally {
        progress.end();
      }
    }
    if (options.json) print({ store: store.location, model: embedder.id, graphs });
    else for (const { name, embedded } of graphs) print(`Embedded ${name}: ${counted(embedded, 'text')}.`);
  } finally {
    await store.close();
  }
}

async function graphsToEmbed(store: Store, workspace: string | undefined): Promise<string[]> {
  if (workspace === undefined) return (await store.graphs()).map(({ name }) => name);
  await requireGraph(store, workspace);
  return [workspace];
}

/** About how many texts there are: those of older versions are embedded too. */
async function textsOf(store: Store, graph: string): Promise<number> {
  const { nodes, observations } = await store.read({ graph }, (reader) => reader.counts());
  return nodes + observations;
}
