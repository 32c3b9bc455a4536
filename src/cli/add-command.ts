import type { Command } from 'commander';
import { z } from 'zod';
import { asTrellisError, TrellisError } from '../model/error.js';
import { authorOptions, branchOption, dataOptions } from './command-options.js';
import { printable } from './history/printable.js';
import { collectOption, type NodeOptions, saveEdit } from './people/edit-node.js';
import { parseRelation } from './people/parse-relation.js';
import type { GraphTools } from './remote/graph-tools.js';

interface AddOptions extends NodeOptions {
  readonly observation?: readonly string[];
  readonly relation?: readonly string[];
}

const help = `
Adds a node, or facts to one that exists, as one commit. A relation is written as TYPE → TO or
TYPE -> TO; the node that it leads to must exist.

Examples:
  $ trellis add Ada --type person --observation 'wrote the first program'
  $ trellis add Ada --observation 'liked horses' --relation 'knows -> Charles Babbage'
`;

export function define(command: Command): void {
  command
    .argument('<name>', 'the name of the node')
    .option('--type <type>', 'the type of a new node; of an existing one, if several have the name')
    .option('--observation <text>', 'a fact; repeatable', collectOption)
    .option('--relation <relation>', 'a relation to another node, TYPE → TO; repeatable', collectOption);
  authorOptions(dataOptions(branchOption(command)))
    .addHelpText('after', help)
    .action(run);
}

async function run(name: string, options: AddOptions): Promise<void> {
  const { observation = [], relation = [], type } = options;
  const edges = relation.map(parseRelation);
  await saveEdit(options, `Saved ${printable(name)}.`, async (tools) => {
    const known = await findType(tools, name, options);
    const target = { name, type: known ?? type };
    if (target.type === undefined)
      throw new TrellisError('USAGE', `There is no node ${JSON.stringify(name)} yet.`, {
        hint: 'Say what it is with --type, such as --type person.',
      });
    if (known !== undefined && observation.length + relation.length === 0)
      throw new TrellisError('USAGE', `The node ${JSON.stringify(name)} exists already.`, {
        hint: 'Add facts to it with --observation and --relation.',
      });
    const add =
      known === undefined
        ? { op: 'add_node', ...target, observations: observation }
        : { op: 'add_observations', ...target, texts: observation };
    return [
      ...(known !== undefined && observation.length === 0 ? [] : [add]),
      ...edges.map((edge) => ({ op: 'add_edge', from: name, from_type: target.type, ...edge })),
    ];
  });
}

/** The type of an existing node; undefined if there is none. */
async function findType(
  tools: GraphTools,
  name: string,
  { type, branch }: AddOptions,
): Promise<string | undefined> {
  try {
    return (await tools.call('people_node', { name, type, branch }, found)).node.type;
  } catch (error) {
    if (asTrellisError(error).code === 'NOT_FOUND') return undefined;
    throw error;
  }
}

const found = z.object({ node: z.object({ type: z.string() }) });
