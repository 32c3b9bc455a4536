import type { Command } from 'commander';
import { addToGateRegistry, type RegistryAddition } from '../../gate/registry/edit-gate-registry.js';
import { gatePropertyTypes } from '../../gate/registry/schema-registry.js';
import { TrellisError } from '../../model/error.js';
import { type CommonOptions, graphOption, jsonOption, locationOptions } from '../command-options.js';
import { print } from '../print.js';
import { parseList, withGateGraph } from './with-gate-graph.js';

interface AddOptions extends CommonOptions {
  readonly required?: string;
  readonly absorbs?: string;
  readonly type?: readonly string[];
  readonly relationship?: boolean;
  readonly from?: string;
  readonly to?: string;
}

export function defineGateSchemaAdd(parent: Command): void {
  const command = parent
    .command('add <label>')
    .description('Register a label or a relationship type with the write gate, or add to what is registered.')
    .option('--required <names>', 'properties that every write must give, separated by commas')
    .option('--absorbs <labels>', 'other labels that mean this one, separated by commas')
    .option('--type <property:type...>', `what a property must be: ${gatePropertyTypes.join(', ')}`)
    .option('--relationship', 'register a type of relationship instead of a label')
    .option('--from <labels>', 'labels the relationship may start from; left out, any')
    .option('--to <labels>', 'labels it may lead to; left out, any');
  jsonOption(graphOption(locationOptions(command)))
    .addHelpText(
      'after',
      `
The schema is kept in the graph itself. A gate that is running learns of it with refresh_schema_cache.

Examples:
  $ trellis schema add Person --required name --absorbs person,User --type age:integer
  $ trellis schema add KNOWS --relationship --from Person --to Person
`,
    )
    .action(run);
}

async function run(label: string, options: AddOptions): Promise<void> {
  const addition = additionOf(label, options);
  await withGateGraph(options, 'schema add', async ({ graph, author }) => {
    const outcome = await graph.write(author, (tx) => addToGateRegistry(tx, graph.name, addition));
    if (options.json) print({ name: label, kind: addition.kind, outcome, graph: graph.name });
    else
      print(`${outcome === 'added' ? 'Added' : 'Changed'} ${label} in the schema of the graph ${graph.name}`);
  });
}

function additionOf(name: string, options: AddOptions): RegistryAddition {
  const isRelationship = options.relationship === true;
  if (isRelationship && options.absorbs !== undefined)
    throw usage('--absorbs is for labels, not for relationships.');
  if (!isRelationship && (options.from ?? options.to) !== undefined)
    throw usage('--from and --to are for relationships: give --relationship too.');
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
