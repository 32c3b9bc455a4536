import type { Command } from 'commander';
import { openConfiguredStore, openExistingStore, withStore } from '../config/open-configured-store.js';
import { loadSettings } from '../config/settings.js';
import { TrellisError } from '../model/error.js';
import { checkGraphOrBranchName } from '../model/graph-or-branch-name.js';
import { graphNames } from '../store/graph-names.js';
import type { Store } from '../store/store-contract.js';
import { type CommonOptions, jsonOption, locationOptions } from './command-options.js';
import { pluralize, print } from './print.js';

interface DeleteOptions extends CommonOptions {
  readonly yes?: boolean;
}

const help = `
Graphs are separate namespaces. You need not create one to start: a new store gets the graph
default. A JSON lines file holds only that one.

Examples:
  $ trellis graph create work
  $ trellis stdio --graph work
  $ trellis graph list --json
  $ trellis graph rename work office
  $ trellis graph delete office --yes
`;

export function define(command: Command): void {
  command.addHelpText('after', help);
  const withOptions = (subcommand: Command) => jsonOption(locationOptions(subcommand));
  withOptions(command.command('create <name>').description('Create an empty graph.')).action(create);
  withOptions(command.command('list').description('List the graphs of a store.')).action(list);
  withOptions(command.command('rename <old> <new>').description('Rename a graph.')).action(rename);
  withOptions(
    command
      .command('delete <name>')
      .description('Delete a graph with its nodes, edges, branches and history.')
      .option('--yes', 'delete it even if it has data'),
  ).action(remove);
}

async function create(name: string, options: CommonOptions): Promise<void> {
  const settings = await loadSettings(options);
  checkGraphOrBranchName(name, 'The name of a graph');
  await withStore(openConfiguredStore(settings.location.value), async (store) => {
    const graph = await store.createGraph(name);
    if (options.json) print({ name: graph.name, created_at: new Date(graph.createdAt).toISOString() });
    else print(`Created the graph ${graph.name} in ${store.location}`);
  });
}

async function openNamedStore(options: CommonOptions): Promise<Store> {
  return openExistingStore((await loadSettings(options)).location.value);
}

async function list(options: CommonOptions): Promise<void> {
  await withStore(openNamedStore(options), async (store) => {
    const graphs = await store.graphs();
    if (options.json) {
      const rows = graphs.map(({ name, createdAt }) => ({
        name,
        created_at: new Date(createdAt).toISOString(),
      }));
      print({ store: store.location, graphs: rows });
    } else if (graphs.length === 0) print(`No graphs in ${store.location} yet`);
    else for (const { name } of graphs) print(name);
  });
}

async function rename(name: string, to: string, options: CommonOptions): Promise<void> {
  await withStore(openNamedStore(options), async (store) => {
    await store.renameGraph(name, to);
    if (options.json) print({ name: to, renamed_from: name });
    else print(`Renamed the graph ${name} to ${to} in ${store.location}`);
  });
}

async function remove(name: string, options: DeleteOptions): Promise<void> {
  await withStore(openNamedStore(options), async (store) => {
    if (options.yes !== true) await requireConfirmation(store, name);
    await store.deleteGraph(name);
    if (options.json) print({ name, deleted: true });
    else print(`Deleted the graph ${name} from ${store.location}`);
  });
}

async function requireConfirmation(store: Store, name: string): Promise<void> {
  const exists = (await graphNames(store)).includes(name);
  // A missing graph may still have rows of an interrupted deletion.
  if (!exists || (await store.commitsSince(name, 0, 1)).length === 0) return;
  const { nodes, observations, edges } = await store.read({ graph: name }, (reader) => reader.counts());
  throw new TrellisError(
    'CONFIRMATION_NEEDED',
    `The graph ${name} holds ${pluralize(nodes, 'node')}, ${pluralize(observations, 'observation')} and ${pluralize(edges, 'edge')}, and its history; deleting it cannot be undone.`,
    {
      hint: `If in doubt, copy it first with trellis copy --graph. To delete it: trellis graph delete ${name} --yes`,
      details: { graph: name, nodes, observations, edges },
    },
  );
}
