import { z } from 'zod';
import { removeFromGateRegistry } from '../../../../gate/registry/edit-gate-registry.js';
import { storedName } from '../../../common-shapes.js';
import { defineTool, type Tool } from '../../../tool.js';
import { changes } from '../../../tool-annotations.js';
import { branchInput, messageInput } from '../../graph-shapes.js';
import { type GateRouteSettings, graphWithRegistry, registryPermissions } from './people-gate-shapes.js';

export const gateRemoveTool = 'gate_schema_remove';

const input = z.object({
  name: storedName.describe('The label or type'),
  branch: branchInput('The branch whose registry to change'),
  message: messageInput,
});

export const gateRemoveOutput = z.object({
  name: z.string(),
  commit_id: z.string().nullable(),
  still_named_by: z.array(z.string()).describe('Relationship types that still name the label'),
});

export function peopleGateRemove(settings: GateRouteSettings): Tool<z.output<typeof input>> {
  return defineTool({
    name: gateRemoveTool,
    title: 'Remove a rule from the gate registry',
    description:
      'Remove a label or a relationship type from the gate registry in the graph; existing data stays. One commit, which undo takes back.',
    input,
    output: gateRemoveOutput,
    annotations: changes,
    action: registryPermissions,
    async run(call, { name, branch = call.graph.branch, message }) {
      const graph = await graphWithRegistry(settings, call.withMessage(message), branch);
      const { result, commit } = await graph.commit((tx) => removeFromGateRegistry(tx, graph.name, name));
      return { name, commit_id: commit?.id ?? null, still_named_by: result };
    },
  });
}
