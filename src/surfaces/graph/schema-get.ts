import { z } from 'zod';
import { commitNotFound } from '../../model/commit.js';
import { TrellisError } from '../../model/error.js';
import { reads } from '../annotations.js';
import { some } from '../permission.js';
import { defineTool } from '../tool.js';
import { branchInput, commitId } from './shapes.js';

const input = z.object({
  branch: branchInput('The branch whose schema is wanted'),
  snapshot: commitId('A commit: the schema as it was then, instead of a branch').optional(),
});

export const schemaGet = defineTool({
  name: 'schema_get',
  title: 'Get the schema',
  description:
    'The schema of this graph in the .pg language: its types of nodes and edges, their properties and constraints. ' +
    'Empty if the graph has none; then it takes any type and any property.',
  input,
  output: z.object({ schema_source: z.string() }),
  annotations: reads,
  action: (args) => [
    { action: 'read', branch: args === undefined || args.snapshot !== undefined ? some : args.branch },
  ],
  async run({ graph, history, may }, { branch, snapshot }) {
    if (branch !== undefined && snapshot !== undefined) throw both();
    if (snapshot !== undefined) {
      // Which branch is read only the commit says; to whoever may not read that, there is no such commit.
      const commit = await history.commit(snapshot);
      if (!may([{ action: 'read', branch: commit.branch }])) throw commitNotFound(snapshot);
    }
    const source = await graph
      .on(branch ?? graph.branch)
      .read(async (reader) =>
        snapshot === undefined ? reader.schema() : (await reader.at(snapshot)).schema(),
      );
    return { schema_source: source ?? '' };
  },
});

function both(): TrellisError {
  return new TrellisError('INVALID_ARGUMENT', 'A read is of a branch or of a snapshot, not of both.', {
    hint: 'Leave one of them out.',
  });
}
