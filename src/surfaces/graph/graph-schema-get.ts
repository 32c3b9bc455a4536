import { z } from 'zod';
import { defineTool } from '../tool.js';
import { reads } from '../tool-annotations.js';
import { branchInput, commitId } from './graph-shapes.js';
import { readPermissions, resolveReadableState } from './readable-state.js';

const input = z.object({
  branch: branchInput('The branch whose schema to get'),
  snapshot: commitId('A commit, to get the schema as it was then, instead of a branch').optional(),
});

export const graphSchemaGet = defineTool({
  name: 'schema_get',
  title: 'Get the schema',
  description:
    'Get the schema of this graph in the .pg language: the types of nodes and edges, their properties and constraints. ' +
    'Empty if the graph has none; it then accepts any type and property.',
  input,
  output: z.object({ schema_source: z.string() }),
  annotations: reads,
  action: readPermissions,
  async run(call, request) {
    const { graph, snapshot } = await resolveReadableState(call, request);
    const source = await graph.read(async (reader) =>
      snapshot === undefined ? reader.schema() : (await reader.at(snapshot)).schema(),
    );
    return { schema_source: source ?? '' };
  },
});
