import { z } from 'zod';
import { defineTool } from '../tool.js';
import { changes } from '../tool-annotations.js';
import {
  mutateOutput,
  querySource,
  sourceAliases,
  sourceInput,
  toMutationOutput,
} from './graph-query-shapes.js';
import { branchInput, branchPermission, ifCommitInput, messageInput } from './graph-shapes.js';

const input = z.object({
  ...sourceInput,
  branch: branchInput('The branch to change'),
  if_commit: ifCommitInput,
  message: messageInput,
});

export const graphMutate = defineTool({
  name: 'mutate',
  aliases: ['change'],
  argumentAliases: { ...sourceAliases, ifCommit: 'if_commit' },
  title: 'Mutate',
  description:
    'Change the graph in the .gq language: insert, update … where, delete … where. ' +
    'query hire($email: String, $at: String) { insert Person { email: $email } insert WorksAt { from: $email, to: $at } }. ' +
    'All statements of one query become one commit; on an error, nothing is changed. To read, use query.',
  input,
  output: mutateOutput,
  annotations: changes,
  action: branchPermission<z.output<typeof input>>('change', ({ branch }) => branch),
  async run(call, { name, params, message, if_commit, branch = call.graph.branch, ...given }) {
    const { graph, actor, now, may } = call.withMessage(message);
    const source = querySource('mutate', given);
    const { executeMutation: run } = await import('../../query/execute-mutation.js');
    const result = await run(graph.on(branch).ifAt(if_commit), { source, name, params }, now);
    const output = toMutationOutput(result, branch, actor.id);
    if (may([{ action: 'read', branch }])) return output;
    // How many rows a condition matches tells what is stored.
    const { affected_nodes, affected_edges, commit_id, graph_commit_id, commit, ...redacted } = output;
    return redacted;
  },
});
