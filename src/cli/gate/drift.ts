import type { Command } from 'commander';
import { surfaceSettings } from '../../config/graph-settings.js';
import { loadSettings } from '../../config/load-settings.js';
import { openExisting, requireGraph } from '../../config/open-location.js';
import { settingsOfGraph } from '../../config/settings.js';
import { Graph } from '../../engine/graph.js';
import { type Drift, DriftCounter, type DriftedName } from '../../gate/drift.js';
import { openSource } from '../../gate/open-source.js';
import type { Order } from '../../model/order.js';
import type { Store } from '../../store/store.js';
import { type CommonOptions, graphOption, jsonOption, locationOptions } from '../options.js';
import { print } from '../print.js';

interface DriftOptions extends CommonOptions {
  readonly gateSchema?: string;
}

export function defineDrift(parent: Command): void {
  const command = parent
    .command('drift')
    .description('Show what agents try that the schema does not know, most frequent first.')
    .option('--gate-schema <file>', 'the file that holds the schema (default: the schema in the graph)');
  jsonOption(graphOption(locationOptions(command))).action(run);
}

async function run(options: DriftOptions): Promise<void> {
  const settings = await loadSettings(options);
  const store = await openExisting(settings.location.value);
  try {
    await requireGraph(store, settings.graph.value);
    const graph = new Graph(store, settings.graph.value);
    const { gate = {}, schemas } = surfaceSettings(settingsOfGraph(settings, graph.name));
    const registry = await openSource(gate, { graph, schemas }).load();
    const drift = await driftOf(store, graph, new DriftCounter(registry));
    if (options.json) print({ graph: graph.name, ...drift });
    else print(forPeople(drift));
  } finally {
    await store.close();
  }
}

const pageSize = 1_000;

async function driftOf(store: Store, graph: Graph, counter: DriftCounter): Promise<Drift> {
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

function forPeople({ labels, relationship_types, properties }: Drift): string {
  const parts = [
    list('Labels', labels.map(nameLine)),
    list('Relationship types', relationship_types.map(nameLine)),
    list(
      'Properties',
      properties.map(({ label, property, count }) => `${count}  ${property} of ${label}`),
    ),
    list('To let them in', remedies(labels)),
  ].filter((part) => part !== '');
  return parts.length === 0 ? 'The schema knows everything that agents try' : parts.join('\n\n');
}

function list(title: string, lines: readonly string[]): string {
  return lines.length === 0 ? '' : `${title}:\n${lines.map((line) => `  ${line}`).join('\n')}`;
}

function nameLine({ name, count, suggested }: DriftedName): string {
  return `${count}  ${name}${suggested === undefined ? '' : `  (${suggested}?)`}`;
}

/** One line for each label that others stand for, and one for each that stands for none. */
function remedies(labels: readonly DriftedName[]): string[] {
  const absorbed = new Map<string, string[]>();
  for (const { name, suggested } of labels)
    if (suggested !== undefined) absorbed.set(suggested, [...(absorbed.get(suggested) ?? []), name]);
  return [...absorbed].map(
    ([label, names]) => `trellis schema add ${label} --absorbs ${names.map(quoted).join(',')}`,
  );
}

function quoted(name: string): string {
  return /^[\w.-]+$/.test(name) ? name : `'${name.replaceAll("'", "'\\''")}'`;
}
