import type { Command, CommandOptions } from 'commander';
import { addToGateRegistry, type RegistryAddition } from '../../gate/registry/edit-gate-registry.js';
import { gatePropertyTypes } from '../../gate/registry/schema-registry.js';
import { TrellisError } from '../../model/error.js';
import { gateAddOutput, gateAddTool } from '../../surfaces/graph/people/gate/people-gate-add.js';
import { authorOptions, type CommonOptions, dataOptions } from '../command-options.js';
import { print } from '../print.js';
import { withGraphTools } from '../remote/graph-tools.js';
import { parseList, withGateGraph } from './with-gate-graph.js';

interface AddOptions extends CommonOptions {
  readonly required?: string;
  readonly absorbs?: string;
  readonly type?: readonly string[];
  readonly relationship?: boolean;
  readonly from?: string;
  readonly to?: string;
}

const help = `
The registry is kept in the graph. A running gate picks up changes with refresh_schema_cache.

Examples:
  $ trellis gate schema add Person --required name --absorbs person,User --type age:integer
  $ trellis gate schema add KNOWS --relationship --from Person --to Person
`;

export function defineGateSchemaAdd(parent: Command, visibility?: CommandOptions): Command {
  const command = parent
    .command('add', visibility)
    .argument('<label>', 'the label or relationship type')
    .description('Add a label or a relationship type to the gate registry, or extend an existing entry.')
    .option('--required <names>', 'properties that every write must include, separated by commas')
    .option('--absorbs <labels>', 'other labels to remap to this one, separated by commas')
    .option('--type <property:type...>', `types of properties: ${gatePropertyTypes.join(', ')}`)
    .option('--relationship', 'add a relationship type instead of a label')
    .option('--from <labels>', 'labels that the relationship may start from (default: any)')
    .option('--to <labels>', 'labels that it may lead to (default: any)');
  return authorOptions(dataOptions(command)).addHelpText('after', help).action(run);
}

async function run(label: string, options: AddOptions): Promise<void> {
  const addition = additionOf(label, options);
  const { message } = options;
  const { graph, outcome } = await (options.url === undefined
    ? withGateGraph(options, gateAddTool, async ({ graph, author }) => ({
        graph: graph.name,
        outcome: await graph.write(author, (tx) => addToGateRegistry(tx, graph.name, addition)),
      }))
    : withGraphTools(options, async (tools) => ({
        ...(await tools.call(gateAddTool, { ...addition, message }, gateAddOutput)),
        graph: tools.graph,
      })));
  if (options.json) print({ name: label, kind: addition.kind, outcome, graph });
  else
    print(
      `${outcome === 'added' ? `Added ${label} to` : `Changed ${label} in`} the gate registry of the graph ${graph}`,
    );
}

function additionOf(name: string, options: AddOptions): RegistryAddition {
  const isRelationship = options.relationship === true;
  if (isRelationship && options.absorbs !== undefined)
    throw usage('--absorbs is for labels, not for relationships.');
  if (!isRelationship && (options.from ?? options.to) !== undefined)
    throw usage('--from and --to are for relationships: add --relationship.');
  return {
    name,
    kind: isRelationship ? 'relationship' : 'node',
    required: parseList(options.required),
    absorbs: parseList(options.absorbs),
    types: Object.fromEntries((options.type ?? []).flatMap(parseList).map(parsePropertyType)),
    from: parseList(options.from),
    to: parseList(options.to),
  };
}

/** `age:integer`; the property may itself contain a colon. */
function parsePropertyType(given: string): [string, string] {
  const colon = given.lastIndexOf(':');
  const type = given.slice(colon + 1);
  if (colon > 0 && gatePropertyTypes.some((known) => known === type)) return [given.slice(0, colon), type];
  throw usage(
    `${JSON.stringify(given)} is not property:type; the types are ${gatePropertyTypes.join(', ')}.`,
  );
}

function usage(message: string): TrellisError {
  return new TrellisError('USAGE', message);
}
