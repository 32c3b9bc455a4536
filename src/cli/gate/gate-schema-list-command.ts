import type { Command, CommandOptions } from 'commander';
import { GraphSource } from '../../gate/registry/graph-source.js';
import type { RelationEntry, SchemaEntry } from '../../gate/registry/schema-registry.js';
import { gateRegistryOutput } from '../../surfaces/graph/people/gate/people-gate-registry.js';
import { type CommonOptions, dataOptions } from '../command-options.js';
import { print } from '../print.js';
import { type GraphTools, withGraphTools } from '../remote/graph-tools.js';
import { type GateGraph, withGateGraph } from './with-gate-graph.js';

export function defineGateSchemaList(parent: Command, visibility?: CommandOptions): Command {
  const command = parent.command('list', visibility).description('List the gate registry of a graph.');
  return dataOptions(command)
    .addHelpText('after', '\nWith --json it prints a registry file: save it and use it with --gate-schema.\n')
    .action(run);
}

interface ListedRegistry {
  readonly graph: string;
  readonly nodes: readonly SchemaEntry[];
  readonly relationships: readonly RelationEntry[];
}

async function run(options: CommonOptions): Promise<void> {
  const { graph, nodes, relationships } = await (options.url === undefined
    ? withGateGraph(options, 'gate_schema_list', listInGraph)
    : withGraphTools(options, listOnServer));
  if (options.json) print({ nodes, relationships });
  else if (nodes.length + relationships.length === 0)
    print(`The gate registry of the graph ${graph} is empty: the gate rejects every write`);
  else print([...nodes.map(nodeLine), ...relationships.map(relationshipLine)].join('\n'));
}

async function listInGraph({ graph }: GateGraph): Promise<ListedRegistry> {
  const registry = await new GraphSource(graph).load();
  return {
    graph: graph.name,
    nodes: registry.allCanonicalLabels().flatMap((label) => registry.getEntry(label) ?? []),
    relationships: registry.allRelationTypes().flatMap((type) => registry.getRelation(type) ?? []),
  };
}

async function listOnServer(tools: GraphTools): Promise<ListedRegistry> {
  return { ...(await tools.call('people_gate_registry', {}, gateRegistryOutput)), graph: tools.graph };
}

function nodeLine({ label, remaps_from, ...entry }: SchemaEntry): string {
  return lineOf(label, [...sharedParts(entry), ...part('absorbs', remaps_from)]);
}

function relationshipLine({ type, from_labels, to_labels, ...entry }: RelationEntry): string {
  const ends = `from ${from_labels.join(' or ') || 'any'} to ${to_labels.join(' or ') || 'any'}`;
  return lineOf(type, [ends, ...sharedParts(entry)]);
}

function sharedParts({
  required_properties,
  property_types,
}: Pick<SchemaEntry, 'required_properties' | 'property_types'>): string[] {
  const types = Object.entries(property_types).map(([property, type]) => `${property}:${type}`);
  return [...part('requires', required_properties), ...part('types', types)];
}

function part(what: string, names: readonly string[]): string[] {
  return names.length === 0 ? [] : [`${what} ${names.join(', ')}`];
}

function lineOf(name: string, parts: readonly string[]): string {
  return parts.length === 0 ? name : `${name}  ${parts.join('; ')}`;
}
