import type { Command } from 'commander';
import { peopleNodeOutput } from '../surfaces/graph/people/people-node.js';
import { branchOption, dataOptions } from './command-options.js';
import { printable, quoteForTerminal } from './history/printable.js';
import { type NodeOptions, nodeArgument } from './people/edit-node.js';
import type { PeopleNode } from './people/node-document.js';
import { print } from './print.js';
import { withGraphTools } from './remote/graph-tools.js';

interface GetOptions extends NodeOptions {
  readonly snapshot?: string;
}

const help = `
Shows a node: its type, summary, tags, properties, observations with their numbers, and relations.
trellis blame adds who wrote each of them.

Examples:
  $ trellis get Ada
  $ trellis get Ada --type person --json
`;

export function define(command: Command): void {
  nodeArgument(command).option('--snapshot <commit>', 'as of this commit, instead of a branch');
  dataOptions(branchOption(command)).addHelpText('after', help).action(run);
}

async function run(name: string, options: GetOptions): Promise<void> {
  const { type, branch, snapshot } = options;
  const page = await withGraphTools(options, (tools) =>
    tools.call('people_node', { name, type, branch, snapshot }, peopleNodeOutput),
  );
  if (options.json === true) print(page);
  else for (const line of nodeLines(page)) print(line);
}

function nodeLines({ node, edges }: PeopleNode): string[] {
  const { summary, tags = [], props = {}, observations, updated_at, commit_id } = node;
  const key = ({ key: text }: PeopleNode['edges']['out'][number]) =>
    text === undefined ? '' : ` [${printable(text)}]`;
  const fields = [
    ...(summary === undefined ? [] : [['summary', printable(summary)]]),
    ...(tags.length === 0 ? [] : [['tags', tags.map(printable).join(', ')]]),
    ...Object.entries(props).map(([name, value]) => [
      printable(name),
      typeof value === 'string' ? printable(value) : quoteForTerminal(value),
    ]),
    ['changed', `${updated_at}${commit_id === undefined ? '' : `, commit ${commit_id}`}`],
  ];
  const width = Math.max(...fields.map(([name = '']) => name.length));
  return [
    `${printable(node.type)} ${printable(node.name)}`,
    ...fields.map(([name = '', value]) => `  ${name.padEnd(width)}  ${value}`),
    ...observations.map(({ ordinal, text }) => `  ${ordinal}. ${printable(text)}`),
    ...edges.out.map((edge) => `  --${printable(edge.type)}${key(edge)}--> ${printable(edge.to.name)}`),
    ...edges.in.map((edge) => `  <--${printable(edge.type)}${key(edge)}-- ${printable(edge.from.name)}`),
    ...(edges.truncated === true ? ['  … and more relations'] : []),
  ];
}
