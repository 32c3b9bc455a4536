import type { Command, CommandOptions } from 'commander';
import { removeFromGateRegistry } from '../../gate/registry/edit-gate-registry.js';
import { type CommonOptions, commonOptions } from '../command-options.js';
import { print } from '../print.js';
import { defineGateSchemaAdd } from './gate-schema-add-command.js';
import { defineGateSchemaList } from './gate-schema-list-command.js';
import { withGateGraph } from './with-gate-graph.js';

const help = `
Examples:
  $ trellis gate schema add Person --required name --absorbs person,User
  $ trellis gate schema list
  $ trellis gate schema remove Person
`;

export function defineGateSchema(gate: Command): void {
  const command = gate
    .command('schema')
    .description('Add, list and remove the labels and relationship types that the write gate accepts.')
    .addHelpText('after', help);
  defineGateSchemaAdd(command);
  defineGateSchemaList(command);
  defineGateSchemaRemove(command);
}

export function defineGateSchemaRemove(parent: Command, visibility?: CommandOptions): Command {
  const command = parent
    .command('remove <label>', visibility)
    .description('Remove a label or a relationship type from the gate registry; existing data stays.');
  return commonOptions(command).action(remove);
}

async function remove(label: string, options: CommonOptions): Promise<void> {
  await withGateGraph(options, 'gate schema remove', async ({ graph, author }) => {
    await graph.write(author, (tx) => removeFromGateRegistry(tx, graph.name, label));
    if (options.json) print({ name: label, outcome: 'removed', graph: graph.name });
    else print(`Removed ${label} from the gate registry of the graph ${graph.name}`);
  });
}
