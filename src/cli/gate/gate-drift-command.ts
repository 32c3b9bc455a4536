import type { Command } from 'commander';
import type { z } from 'zod';
import { TrellisError } from '../../model/error.js';
import { shellQuote } from '../../model/quoting.js';
import { gateDriftOutput } from '../../surfaces/graph/people/gate/people-gate-drift.js';
import { gateRegistryOutput } from '../../surfaces/graph/people/gate/people-gate-registry.js';
import { type CommonOptions, dataOptions, surfaceOptions } from '../command-options.js';
import { print } from '../print.js';
import { withGraphTools } from '../remote/graph-tools.js';

export function defineGateDrift(parent: Command): void {
  const command = parent
    .command('drift')
    .description('Show what agents use that the gate registry lacks, most frequent first.');
  dataOptions(surfaceOptions(command)).action(run);
}

async function run(options: CommonOptions): Promise<void> {
  await withGraphTools(options, async (tools) => {
    const registry = await tools.call('people_gate_registry', {}, gateRegistryOutput);
    refuseEmpty(registry);
    const { labels, relationship_types, properties } = await tools.call(
      'people_gate_drift',
      {},
      gateDriftOutput,
    );
    const drift = {
      labels: labels.map(withoutRule),
      relationship_types: relationship_types.map(withoutRule),
      properties,
    };
    if (options.json) print({ graph: tools.graph, registry: registry.source, ...drift });
    else print(forPeople(drift, registry, driftRemedies(drift, registry, flagsOf(options))));
  });
}

type Registry = z.output<typeof gateRegistryOutput>;
type Drift = z.output<typeof gateDriftOutput>;
type DriftedName = Drift['labels'][number];

function withoutRule({ rule, ...drifted }: DriftedName): DriftedName {
  return drifted;
}

/** Compared with an empty registry, everything would count as drift. */
function refuseEmpty({ nodes, relationships, source }: Registry): void {
  if (nodes.length + relationships.length > 0) return;
  throw new TrellisError('NOT_FOUND', `There is no gate registry in ${source} to compare with.`, {
    hint: 'If the gate reads it from elsewhere, pass the flags that the gate was started with: --config or --gate-schema FILE.',
  });
}

/** The flags that select the graph, for the suggested commands. */
function flagsOf({ config, file, store, url, graph }: CommonOptions): string[] {
  return Object.entries({ config, file, store, url, graph }).flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name}`, value],
  );
}

function forPeople(
  { labels, relationship_types, properties }: Drift,
  { source }: Registry,
  howTo: readonly string[],
): string {
  const parts = [
    list('Labels', labels.map(nameLine)),
    list('Relationship types', relationship_types.map(nameLine)),
    list(
      'Properties',
      properties.map(({ label, property, count }) => `${count}  ${property} of ${label}`),
    ),
    list('To add them', howTo),
  ].filter((part) => part !== '');
  return parts.length === 0
    ? `The gate registry in ${source} has everything that agents use`
    : [`Compared with the gate registry in ${source}`, ...parts].join('\n\n');
}

function list(title: string, lines: readonly string[]): string {
  return lines.length === 0 ? '' : `${title}:\n${lines.map((line) => `  ${line}`).join('\n')}`;
}

function nameLine({ name, count, suggested }: DriftedName): string {
  return `${count}  ${name}${suggested === undefined ? '' : `  (${suggested}?)`}`;
}

/** Commands that can be copied. */
function driftRemedies(
  { labels, relationship_types, properties }: Drift,
  { source, location }: Registry,
  flags: readonly string[],
): string[] {
  if (labels.length + relationship_types.length + properties.length === 0) return [];
  if (location === 'graph_schema')
    return [
      'Declare them in the .pg schema of the graph, then:',
      shellCommand('trellis', 'schema', 'apply', 'FILE', ...flags),
    ];
  const absorbed = new Map<string, string[]>();
  for (const { name: drifted, suggested } of labels)
    if (suggested !== undefined) absorbed.set(suggested, [...(absorbed.get(suggested) ?? []), drifted]);
  return [...absorbed].map(([label, names]) =>
    location === 'elsewhere'
      ? `In ${source}, let ${label} absorb: ${names.join(', ')}`
      : shellCommand('trellis', 'gate', 'schema', 'add', label, '--absorbs', names.join(','), ...flags),
  );
}

function shellCommand(...all: readonly string[]): string {
  return all.map(shellQuote).join(' ');
}
