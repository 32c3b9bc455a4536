import { z } from 'zod';
import { describeDiffWithSchema } from '../../../schema/apply/describe-diff-with-schema.js';
import { defineTool } from '../../tool.js';
import { changes } from '../../tool-annotations.js';
import { changesOutput } from '../graph-changes-shapes.js';
import {
  branchInput,
  branchPermission,
  commitOutput,
  messageInput,
  toCommitOutput,
} from '../graph-shapes.js';
import { operationsInput, toEditOperation } from './people-edit-shapes.js';

const input = z.object({
  branch: branchInput('The branch to change'),
  message: messageInput,
  operations: operationsInput,
});

export const peopleEdit = defineTool({
  name: 'edit',
  title: 'Edit',
  description:
    'Add, change and delete nodes, observations and edges as one commit, or nothing. ' +
    'With if_commit (the commit_id of a node as it was read), a node that somebody changed since refuses the edit.',
  input,
  output: z.object({
    commit: commitOutput.nullable().optional().describe('Null if nothing changed; absent without read'),
    changes: changesOutput.optional().describe('Absent without read'),
  }),
  annotations: changes,
  action: branchPermission<z.output<typeof input>>('change', ({ branch }) => branch),
  hidesRegistry: true,
  async run(call, { branch = call.graph.branch, message, operations }) {
    const { editGraph } = await import('../../../engine/write/edit/edit-graph.js');
    const edits = operations.map(toEditOperation);
    const { graph, history } = call.withMessage(message);
    const { commit } = await graph.on(branch).commit((tx) => editGraph(tx, edits));
    if (!call.may([{ action: 'read', branch }])) return {};
    if (commit === null) return { commit, changes: { nodes: [], edges: [] } };
    const shown = await history.show(commit.id);
    return { commit: toCommitOutput(commit), changes: await describeDiffWithSchema(shown.changes) };
  },
});
