import type { Command } from 'commander';
import { openConfiguredStore, withStore } from '../config/open-configured-store.js';
import { withoutPassword } from '../config/paths.js';
import { loadSettings } from '../config/settings.js';
import { TrellisError } from '../model/error.js';
import { shellQuote } from '../model/quoting.js';
import { graphNames } from '../store/graph-names.js';
import { hiddenRegistry } from '../store/graph-targets.js';
import { type CommonOptions, jsonOption, locationOptions } from './command-options.js';
import { print } from './print.js';

interface DemoOptions extends CommonOptions {
  readonly graph: string;
}

const help = `
A small team and its agents: who wrote what, a branch that waits for review with a conflict, writes
through the gate, and rejections. Everything is invented.
Remove it with: trellis graph delete demo --yes

Examples:
  $ trellis demo
  $ trellis demo --store /tmp/demo.db
`;

export function define(command: Command): void {
  command.option('--graph <name>', 'the graph to create', 'demo');
  jsonOption(locationOptions(command)).addHelpText('after', help).action(run);
}

async function run(options: DemoOptions): Promise<void> {
  const settings = await loadSettings(options);
  const { graph } = options;
  await withStore(openConfiguredStore(settings.location.value), async (store) => {
    if (!store.capabilities.branches) {
      throw new TrellisError(
        'CAPABILITY_MISSING',
        'The sample memory needs a database, not a JSON lines file.',
        {
          hint: 'Try it with: trellis demo --store /tmp/demo.db',
        },
      );
    }
    if ((await graphNames(store)).includes(graph)) {
      throw new TrellisError('GRAPH_EXISTS', `The graph ${graph} already exists in ${store.location}.`, {
        hint: `Look at it, choose another name with --graph, or delete it with: trellis graph delete ${graph}${where(options)} --yes`,
      });
    }
    const { loadDemo } = await import('./demo/load-demo.js');
    await loadDemo(store, graph, Date.now());
    const { nodes, observations, edges } = await store.read({ graph, registry: hiddenRegistry }, (reader) =>
      reader.counts(),
    );
    if (options.json) print({ store: store.location, graph, nodes, observations, edges });
    else {
      print(`Loaded a sample memory into the graph ${graph} in ${store.location}`);
      print(`  ${nodes} nodes, ${observations} observations, ${edges} edges, and a branch to review`);
      print(`Look at it with: trellis ui --graph ${graph}${where(options)}`);
      print(`Or on the command line: trellis log --graph ${graph}${where(options)}`);
    }
  });
}

/** The flags that chose the store, for the next command. */
function where(options: DemoOptions): string {
  return (['file', 'store', 'config'] as const)
    .map((flag) =>
      options[flag] === undefined ? '' : ` --${flag} ${shellQuote(withoutPassword(options[flag]))}`,
    )
    .join('');
}
