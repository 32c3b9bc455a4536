import type { Command } from 'commander';
import { surfaceSettings } from '../../config/graph-settings.js';
import { openExistingStore, requireGraph, withStore } from '../../config/open-configured-store.js';
import { loadSettings, settingsOfGraph } from '../../config/settings.js';
import { Graph } from '../../engine/graph.js';
import { countDrift } from '../../gate/count-drift.js';
import type { Drift, DriftedName } from '../../gate/drift-counter.js';
import { openRegistrySource } from '../../gate/open-registry-source.js';
import { type RegistryLocation, registryLocationOf } from '../../gate/registry/registry-location.js';
import type { RegistrySource, SchemaRegistry } from '../../gate/registry/schema-registry.js';
import { TrellisError } from '../../model/error.js';
import { shellQuote } from '../../model/quoting.js';
import {
  type CommonOptions,
  graphOption,
  jsonOption,
  locationOptions,
  surfaceOptions,
} from '../command-options.js';
import { print } from '../print.js';

export function defineGateDrift(parent: Command): void {
  const command = parent
    .command('drift')
    .description('Show what agents use that the gate registry lacks, most frequent first.');
  jsonOption(surfaceOptions(graphOption(locationOptions(command)))).action(run);
}

async function run(options: CommonOptions): Promise<void> {
  const settings = await loadSettings(options);
  await withStore(openExistingStore(settings.location.value), async (store) => {
    await requireGraph(store, settings.graph.value);
    const graph = new Graph(store, settings.graph.value);
    const { gate = {}, schemas } = surfaceSettings(settingsOfGraph(settings, graph.name));
    const source = openRegistrySource(gate, { graph, schemas });
    const registry = await source.load();
    refuseEmpty(registry, source);
    const drift = await countDrift(registry, {
      graph,
      rejections: (page) => store.rejections(graph.name, page),
    });
    if (options.json) print({ graph: graph.name, registry: source.name, ...drift });
    else
      print(
        forPeople(
          drift,
          source,
          driftRemedies(drift, source, await registryLocationOf(source, graph), flagsOf(options)),
        ),
      );
  });
}

/** Compared with an empty registry, everything would count as drift. */
function refuseEmpty(registry: SchemaRegistry, { name }: RegistrySource): void {
  if (registry.allCanonicalLabels().length + registry.allRelationTypes().length > 0) return;
  throw new TrellisError('NOT_FOUND', `There is no gate registry in ${name} to compare with.`, {
    hint: 'If the gate reads it from elsewhere, pass the flags that the gate was started with: --config or --gate-schema FILE.',
  });
}

/** The flags that select the graph, for the suggested commands. */
function flagsOf({ config, file, store, graph }: CommonOptions): string[] {
  return Object.entries({ config, file, store, graph }).flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name}`, value],
  );
}

function forPeople(
  { labels, relationship_types, properties }: Drift,
  { name }: RegistrySource,
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
    ? `The gate registry in ${name} has everything that agents use`
    : [`Compared with the gate registry in ${name}`, ...parts].join('\n\n');
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
  { name }: RegistrySource,
  location: RegistryLocation,
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
      ? `In ${name}, let ${label} absorb: ${names.join(', ')}`
      : shellCommand('trellis', 'gate', 'schema', 'add', label, '--absorbs', names.join(','), ...flags),
  );
}

function shellCommand(...all: readonly string[]): string {
  return all.map(shellQuote).join(' ');
}
