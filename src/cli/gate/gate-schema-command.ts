import type { Command, CommandOptions } from 'commander';
import { removeFromGateRegistry } from '../../gate/registry/edit-gate-registry.js';
import { gateRemoveOutput, gateRemoveTool } from '../../surfaces/graph/people/gate/people-gate-remove.js';
import { authorOptions, type CommonOptions, dataOptions } from '../command-options.js';
import { print } from '../print.js';
import { withGraphTools } from '../remote/graph-tools.js';
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
    .command('remove', visibility)
    .argument('<label>', 'the label or relationship type')
    .description('Remove a label or a relationship type from the gate registry; existing data stays.');
  return authorOptions(dataOptions(command)).action(remove);
}

async function remove(label: string, options: CommonOptions): Promise<void> {
  const { message } = options;
  const { graph, types } = await (options.url === undefined
    ? withGateGraph(options, gateRemoveTool, async ({ graph, author }) => ({
        graph: graph.name,
        types: await graph.write(author, (tx) => removeFromGateRegistry(tx, graph.name, label)),
      }))
    : withGraphTools(options, async (tools) => {
        const removed = await tools.call(gateRemoveTool, { name: label, message }, gateRemoveOutput);
        return { graph: tools.graph, types: removed.still_named_by };
      }));
  const warnings = types.length === 0 ? undefined : [stillNamedWarning(label, types)];
  if (options.json) return print({ name: label, outcome: 'removed', graph, warnings });
  print(`Removed ${label} from the gate registry of the graph ${graph}`);
  for (const warning of warnings ?? []) print(`warning: ${warning}`);
}

function stillNamedWarning(label: string, types: readonly string[]): string {
  return types.length === 1
    ? `${types[0]} still names ${label}: remove it, or add ${label} again.`
    : `${types.join(', ')} still name ${label}: remove them, or add ${label} again.`;
}
