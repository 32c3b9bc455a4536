import type { Command } from 'commander';
import { openExisting, openLocation } from '../config/open-location.js';
import { resolveSettings } from '../config/settings.js';
import { checkName } from '../model/text.js';
import { type CommonOptions, jsonOption, locationOptions } from './options.js';
import { print } from './print.js';

export function define(command: Command): void {
  command.addHelpText(
    'after',
    `
A graph is a namespace: what one holds, another does not see. Nothing needs to be created to
start: a new store gets the graph default. A file of JSON lines holds that one graph only.

Examples:
  $ trellis graph create work
  $ trellis stdio --graph work
  $ trellis graph list --json
`,
  );
  jsonOption(locationOptions(command.command('create <name>').description('Create an empty graph.'))).action(
    create,
  );
  jsonOption(locationOptions(command.command('list').description('List the graphs of a store.'))).action(
    list,
  );
}

async function create(name: string, options: CommonOptions): Promise<void> {
  const settings = resolveSettings(options);
  checkName(name, 'The name of a graph');
  const store = await openLocation(settings.location.value);
  try {
    const graph = await store.createGraph(name);
    if (options.json) print({ name: graph.name, created_at: new Date(graph.createdAt).toISOString() });
    else print(`Created the graph ${graph.name} in ${store.location}`);
  } finally {
    await store.close();
  }
}

async function list(options: CommonOptions): Promise<void> {
  const store = await openExisting(resolveSettings(options).location.value);
  try {
    const graphs = await store.graphs();
    if (options.json) {
      const rows = graphs.map(({ name, createdAt }) => ({
        name,
        created_at: new Date(createdAt).toISOString(),
      }));
      print({ store: store.location, graphs: rows });
    } else if (graphs.length === 0) print(`No graphs in ${store.location} yet`);
    else for (const { name } of graphs) print(name);
  } finally {
    await store.close();
  }
}
