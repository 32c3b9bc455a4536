import type { Command } from 'commander';
import { z } from 'zod';
import { branchOption, type CommonOptions, dataOptions } from './command-options.js';
import { printable } from './history/printable.js';
import { print } from './print.js';
import { withGraphTools } from './remote/graph-tools.js';

const help = `
Counts what a branch holds, and the nodes and relations of each type. Embedded is the share of the
observations that can be found by meaning.

Examples:
  $ trellis stats
  $ trellis stats --graph work --json
`;

export function define(command: Command): void {
  dataOptions(branchOption(command)).addHelpText('after', help).action(run);
}

const statsShape = z.looseObject({
  ...{ graph: z.string(), branch: z.string(), store: z.string() },
  ...{ nodes: z.int(), edges: z.int(), observations: z.int(), commits: z.int(), branches: z.int() },
  embedding_coverage: z.number(),
});

const countsShape = z.array(z.object({ type: z.string(), count: z.int() }));

const typesShape = z.looseObject({ node_types: countsShape, edge_types: countsShape });

async function run(options: CommonOptions): Promise<void> {
  const { branch } = options;
  const { stats, types } = await withGraphTools(options, async (tools) => ({
    stats: await tools.call('people_stats', { branch }, statsShape),
    types: await tools.call('people_types', { branch }, typesShape),
  }));
  if (options.json === true) return print({ ...stats, ...types });
  const { embedding_coverage: coverage, ...rest } = stats;
  const rows: (readonly [string, string])[] = [
    ...Object.entries(rest).map(([name, value]) => [name, printable(String(value))] as const),
    ['embedded', `${Math.floor(coverage * 100)} %`],
    ...section('nodes by type', types.node_types),
    ...section('edges by type', types.edge_types),
  ];
  const width = Math.max(...rows.filter(([, value]) => value !== '').map(([name]) => [...name].length));
  for (const [name, value] of rows)
    print(value === '' ? name : `${name}${' '.repeat(width - [...name].length)}  ${value}`);
}

function section(title: string, counts: z.output<typeof countsShape>): (readonly [string, string])[] {
  if (counts.length === 0) return [];
  return [
    [`${title}:`, ''],
    ...counts.map(({ type, count }) => [`  ${printable(type)}`, String(count)] as const),
  ];
}
