import type { Command } from 'commander';
import { z } from 'zod';
import { listBranches } from '../engine/history/branches.js';
import { asTrellisError } from '../model/error.js';
import { branchNotFound, mainBranch } from '../model/graph-record.js';
import { branchesOutput } from '../surfaces/graph/people/people-branches.js';
import { defineBranchMerge } from './branch/branch-merge-command.js';
import { type CommonOptions, dataOptions } from './command-options.js';
import { printable } from './history/printable.js';
import { print } from './print.js';
import { type GraphTools, withStoreOrServer } from './remote/graph-tools.js';

interface CreateOptions extends CommonOptions {
  readonly from: string;
}

const help = `
A branch starts as a copy of another; its changes are visible only there until it is merged.
Creating one copies no data. JSON lines files have no branches.

Examples:
  $ trellis branch create review
  $ trellis stdio --branch review                  an agent that writes there
  $ trellis diff main review                       what it has changed
  $ trellis branch merge review --delete
`;

export function define(command: Command): void {
  command.addHelpText('after', help);
  dataOptions(command.command('list').description('List the branches of a graph.')).action(list);
  dataOptions(
    command
      .command('create')
      .description('Fork a branch from the head of another.')
      .argument('<name>', 'the new branch')
      .option('--from <branch>', 'the branch to fork from', mainBranch),
  ).action(create);
  dataOptions(
    command
      .command('delete')
      .description('Delete a branch. Its commits can be read until trellis gc collects them.')
      .argument('<name>', 'the branch'),
  ).action(remove);
  defineBranchMerge(command.command('merge'));
}

async function list(options: CommonOptions): Promise<void> {
  const branches = await describeBranches(options);
  if (options.json) return print({ branches });
  for (const { name, parent, head } of branches) {
    const from = parent === null ? '' : `  (from ${printable(parent)})`;
    print(`${printable(name)}  ${head ?? 'no commits'}${from}`);
  }
}

function describeBranches(options: CommonOptions): Promise<z.output<typeof branchesOutput>['branches']> {
  return withStoreOrServer(options, {
    store: async (store, graph) =>
      (await listBranches(store, graph)).map(({ createdAt, ...branch }) => ({
        ...branch,
        created_at: new Date(createdAt).toISOString(),
      })),
    server: async (tools) => (await tools.call('people_branches', {}, branchesOutput)).branches,
  });
}

async function create(name: string, options: CreateOptions): Promise<void> {
  const { from } = options;
  const head = await withStoreOrServer(options, {
    store: async (store, graph) => (await store.createBranch(graph, name, from)).headCommit,
    server: async (tools) => {
      await tools.call('branches_create', { name, from }, z.object({}));
      return remoteHead(tools, name);
    },
  });
  if (options.json) print({ name, from, head });
  else print(`Created the branch ${printable(name)} from ${printable(from)}`);
}

async function remove(name: string, options: CommonOptions): Promise<void> {
  const head = await withStoreOrServer(options, {
    store: async (store, graph) => (await store.deleteBranch(graph, name)).headCommit,
    server: async (tools) => {
      const last = await remoteHead(tools, name);
      const { deleted } = await tools.call('branches_delete', { name }, z.object({ deleted: z.boolean() }));
      if (!deleted) throw branchNotFound(tools.graph, name);
      return last;
    },
  });
  if (options.json) print({ name, head });
  else print(`Deleted the branch ${printable(name)}${head === null ? '' : `; its last commit was ${head}`}`);
}

/** Null also for whoever may change the branch but not read it. */
async function remoteHead(tools: GraphTools, name: string): Promise<string | null> {
  try {
    const { branches } = await tools.call('people_branches', {}, branchesOutput);
    return branches.find((branch) => branch.name === name)?.head ?? null;
  } catch (error) {
    if (asTrellisError(error).code === 'FORBIDDEN') return null;
    throw error;
  }
}
