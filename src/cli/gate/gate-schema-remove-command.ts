import type { Command } from 'commander';
import { removeFromGateRegistry } from '../../gate/registry/edit-gate-registry.js';
import { type CommonOptions, graphOption, jsonOption, locationOptions } from '../command-options.js';
import { print } from '../print.js';
import { withGateGraph } from './with-gate-graph.js';

export function defineGateSchemaRemove(parent: Command): void {
  const command = parent
    .command('remove <label>')
    .description(
      'Take a label or a relationship type out of the schema of the write gate; what was written stays.',
    );
  jsonOption(graphOption(locationOptions(command))).action(run);
}

async function run(label: string, options: CommonOptions): Promise<void> {
  await withGateGraph(options, 'schema remove', async ({ graph, author }) => {
    await graph.write(author, (tx) => removeFromGateRegistry(tx, graph.name, label));
    if (options.json) print({ name: label, outcome: 'removed', graph: graph.name });
    else print(`Removed ${label} from the schema of the graph ${graph.name}`);
  });
}
