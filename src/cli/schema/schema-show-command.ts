import type { Command } from 'commander';
import { Graph } from '../../engine/graph.js';
import { TrellisError } from '../../model/error.js';
import { type CommonOptions, graphOption, jsonOption, locationOptions } from '../command-options.js';
import { withGraph } from '../history/with-graph.js';
import { print } from '../print.js';

export function defineSchemaShow(schema: Command): void {
  const command = schema.command('show').description('Print the schema of a graph in the .pg language.');
  jsonOption(graphOption(locationOptions(command))).action(run);
}

async function run(options: CommonOptions): Promise<void> {
  await withGraph(options, async (store, graph) => {
    const source = await new Graph(store, graph).read((reader) => reader.schema());
    if (options.json === true) print({ graph, schema: source });
    else if (source !== null) print(source.trimEnd());
    else
      throw new TrellisError('NOT_FOUND', `The graph ${graph} has no schema.`, {
        hint: 'Give it one with: trellis schema apply FILE',
      });
  });
}
