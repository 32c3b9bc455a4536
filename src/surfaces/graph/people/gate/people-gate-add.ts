import { z } from 'zod';
import { addToGateRegistry } from '../../../../gate/registry/edit-gate-registry.js';
import { defineTool, type Tool } from '../../../tool.js';
import { adds } from '../../../tool-annotations.js';
import { branchInput, messageInput } from '../../graph-shapes.js';
import {
  type GateRouteSettings,
  graphWithRegistry,
  registryPermissions,
  ruleFields,
} from './people-gate-shapes.js';

export const gateAddTool = 'gate_schema_add';

const input = z.object({
  ...ruleFields,
  branch: branchInput('The branch whose registry to change'),
  message: messageInput,
});

export const gateAddOutput = z.object({
  name: z.string(),
  kind: ruleFields.kind,
  outcome: z.enum(['added', 'changed']),
  commit_id: z.string().nullable().describe('Null if the registry had it already'),
});

export function peopleGateAdd(settings: GateRouteSettings): Tool<z.output<typeof input>> {
  return defineTool({
    name: gateAddTool,
    title: 'Add a rule to the gate registry',
    description:
      'Add a label or a relationship type to the gate registry in the graph, or extend its entry. One commit, which undo takes back.',
    input,
    output: gateAddOutput,
    annotations: adds,
    action: registryPermissions,
    async run(call, { branch = call.graph.branch, message, ...rule }) {
      const { name, kind, required = [], absorbs = [], types = {}, from = [], to = [] } = rule;
      const graph = await graphWithRegistry(settings, call.withMessage(message), branch);
      const { result, commit } = await graph.commit((tx) =>
        addToGateRegistry(tx, graph.name, { name, kind, required, absorbs, types, from, to }),
      );
      return { name, kind, outcome: result, commit_id: commit?.id ?? null };
    },
  });
}
