import type { Command } from 'commander';
import { openConfiguredStore, openExistingStore, withStore } from '../config/open-configured-store.js';
import { loadSettings, type StoreLocation } from '../config/settings.js';
import { TrellisError } from '../model/error.js';
import { checkGraphOrBranchName } from '../model/graph-or-branch-name.js';
import type { GraphRecord } from '../model/graph-record.js';
import { graphNames } from '../store/graph-names.js';
import type { Store } from '../store/store-contract.js';
import { type CommonOptions, jsonOption, locationOptions, urlOptions } from './command-options.js';
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
  const withOptions = (subcommand: Command) => urlOptions(jsonOption(locationOptions(subcommand)));
  withOptions(
    command.command('create').argument('<name>', 'the new graph').description('Create an empty graph.'),
  ).action(create);
  withOptions(command.command('list').description('List the graphs of a store.')).action(list);
  withOptions(
    command
      .command('rename')
      .argument('<old>', 'the graph')
      .argument('<new>', 'its new name')
      .description('Rename a graph.'),
  ).action(rename);
  withOptions(
    command
      .command('delete')
      .argument('<name>', 'the graph')
      .description('Delete a graph with its nodes, edges, branches and history.')
      .option('--yes', 'delete it even if it has data'),
  ).action(remove);
}

async function create(name: string, options: CommonOptions): Promise<void> {
  checkGraphOrBranchName(name, 'The name of a graph');
  await withGraphAdmin(options, openConfiguredStore, async (graphs) => {
    const created = await graphs.create(name);
    print(options.json ? created : `Created the graph ${created.name} in ${graphs.location}`);
  });
}

async function list(options: CommonOptions): Promise<void> {
  await withGraphAdmin(options, openExistingStore, async ({ location, ...admin }) => {
    const graphs = await admin.list();
    if (options.json) print({ store: location, graphs });
    else if (graphs.length === 0) print(`No graphs in ${location} yet`);
    else for (const { name } of graphs) print(name);
  });
}

async function rename(name: string, to: string, options: CommonOptions): Promise<void> {
  await withGraphAdmin(options, openExistingStore, async (graphs) => {
    await graphs.rename(name, to);
    if (options.json) print({ name: to, renamed_from: name });
    else print(`Renamed the graph ${name} to ${to} in ${graphs.location}`);
  });
}

async function remove(name: string, options: DeleteOptions): Promise<void> {
  await withGraphAdmin(options, openExistingStore, async (graphs) => {
    await graphs.remove(name, options.yes === true);
    if (options.json) print({ name, deleted: true });
    else print(`Deleted the graph ${name} from ${graphs.location}`);
  });
}

/** The graphs of a store, or of a server. */
export interface GraphCatalogAccess {
  readonly location: string;
  list(): Promise<readonly { readonly name: string; readonly created_at?: string }[]>;
  create(name: string): Promise<{ readonly name: string; readonly created_at: string }>;
  rename(name: string, to: string): Promise<void>;
  remove(name: string, isConfirmed: boolean): Promise<void>;
}

async function withGraphAdmin(
  options: CommonOptions,
  open: (location: StoreLocation) => Promise<Store>,
  work: (graphs: GraphCatalogAccess) => Promise<void>,
): Promise<void> {
  if (options.url !== undefined) {
    const { connectGraphs } = await import('./remote/remote-graphs.js');
    return work(await connectGraphs(options.url, options));
  }
  const settings = await loadSettings(options);
  await withStore(open(settings.location.value), (store) => work(storedGraphs(store)));
}

function storedGraphs(store: Store): GraphCatalogAccess {
  const describe = ({ name, createdAt }: GraphRecord) => ({
    name,
    created_at: new Date(createdAt).toISOString(),
  });
  return {
    location: store.location,
    list: async () => (await store.graphs()).map(describe),
    create: async (name) => describe(await store.createGraph(name)),
    async rename(name, to) {
      await store.renameGraph(name, to);
    },
    async remove(name, isConfirmed) {
      if (!isConfirmed) await requireConfirmation(store, name);
      await store.deleteGraph(name);
    },
  };
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
