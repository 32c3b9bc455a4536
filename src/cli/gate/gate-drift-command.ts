import type { Command } from 'commander';
import { surfaceSettings } from '../../config/graph-settings.js';
import { openExistingStore, requireGraph, withStore } from '../../config/open-configured-store.js';
import { loadSettings, settingsOfGraph } from '../../config/settings.js';
import { Graph } from '../../engine/graph.js';
import { type Drift, DriftCounter, type DriftedName } from '../../gate/drift-counter.js';
import { openRegistrySource } from '../../gate/open-registry-source.js';
import { GraphSource } from '../../gate/registry/graph-source.js';
import type { RegistrySource, SchemaRegistry } from '../../gate/registry/schema-registry.js';
import { TrellisError } from '../../model/error.js';
import type { Order } from '../../model/order.js';
import { shellQuote } from '../../model/quoting.js';
import type { Store } from '../../store/store-contract.js';
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
    const drift = await countDrift(store, graph, new DriftCounter(registry));
    if (options.json) print({ graph: graph.name, registry: source.name, ...drift });
    else
      print(
        forPeople(
          drift,
          source,
          driftRemedies(drift, await registryLocationOf(source, graph), flagsOf(options)),
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

async function registryLocationOf(source: RegistrySource, graph: Graph): Promise<RegistryLocation> {
  if (!(source instanceof GraphSource)) return { kind: 'elsewhere', name: source.name };
  return (await graph.read((reader) => reader.schema())) === null ? { kind: 'graph' } : { kind: 'typed' };
}

/** The flags that select the graph, for the suggested commands. */
function flagsOf({ config, file, store, graph }: CommonOptions): string[] {
  return Object.entries({ config, file, store, graph }).flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name}`, value],
  );
}

const pageSize = 1_000;

async function countDrift(store: Store, graph: Graph, counter: DriftCounter): Promise<Drift> {
  for (let before: number | undefined; ; ) {
    const page = await store.rejections(graph.name, { before, limit: pageSize });
    for (const rejection of page) counter.rejected(rejection);
    before = page.at(-1)?.id;
    if (page.length < pageSize) break;
  }
  await graph.read(async (reader) => {
    for (let after: Order | undefined; ; ) {
      const page = await reader.nodes({ after, limit: pageSize });
      for (const node of page) counter.written(node);
      after = page.at(-1)?.order;
      if (page.length < pageSize) break;
    }
  });
  return counter.result();
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

type RegistryLocation =
  | { readonly kind: 'graph' }
  | { readonly kind: 'typed' }
  | { readonly kind: 'elsewhere'; readonly name: string };

/** Commands that can be copied. */
function driftRemedies(
  { labels, relationship_types, properties }: Drift,
  registry: RegistryLocation,
  flags: readonly string[],
): string[] {
  if (labels.length + relationship_types.length + properties.length === 0) return [];
  if (registry.kind === 'typed')
    return [
      'Declare them in the .pg schema of the graph, then:',
      shellCommand('trellis', 'schema', 'apply', 'FILE', ...flags),
    ];
  const absorbed = new Map<string, string[]>();
  for (const { name, suggested } of labels)
    if (suggested !== undefined) absorbed.set(suggested, [...(absorbed.get(suggested) ?? []), name]);
  return [...absorbed].map(([label, names]) =>
    registry.kind === 'elsewhere'
      ? `In ${registry.name}, let ${label} absorb: ${names.join(', ')}`
      : shellCommand('trellis', 'gate', 'schema', 'add', label, '--absorbs', names.join(','), ...flags),
  );
}

function shellCommand(...all: readonly string[]): string {
  return all.map(shellQuote).join(' ');
}
