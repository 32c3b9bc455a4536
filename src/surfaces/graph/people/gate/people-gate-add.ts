import { z } from 'zod';
import { addToGateRegistry } from '../../../../gate/registry/edit-gate-registry.js';
import { registryLocationOf } from '../../../../gate/registry/registry-location.js';
import { TrellisError } from '../../../../model/error.js';
import { defineTool, type Tool } from '../../../tool.js';
import { adds } from '../../../tool-annotations.js';
import { branchInput } from '../../graph-shapes.js';
import { type GateRouteSettings, registrySource, ruleFields } from './people-gate-shapes.js';

export const gateAddTool = 'people_gate_add';
const input = z.object({ ...ruleFields, branch: branchInput('The branch whose registry to change') });

export function peopleGateAdd(settings: GateRouteSettings): Tool<z.output<typeof input>> {
  return defineTool({
    name: gateAddTool,
    title: 'Add a rule to the gate registry',
    description:
      'Add a label or a relationship type to the gate registry in the graph, or extend its entry. One commit, which undo takes back.',
    input,
    output: z.object({
      name: z.string(),
      kind: ruleFields.kind,
      outcome: z.enum(['added', 'changed']),
      commit_id: z.string().nullable().describe('Null if the registry had it already'),
    }),
    annotations: adds,
    action: (args) => [
      { action: 'schema_apply', branch: args?.branch },
      { action: 'read', branch: args?.branch },
    ],
    async run(call, { branch = call.graph.branch, ...rule }) {
      const { name, kind, required = [], absorbs = [], types = {}, from = [], to = [] } = rule;
      const graph = call.graph.on(branch);
      if ((await registryLocationOf(registrySource(settings, call, branch), graph)) === 'elsewhere')
        throw new TrellisError('INVALID_ARGUMENT', 'The gate registry of this graph is kept outside of it.', {
          hint: 'Nothing was changed. Ask the operator of the server to add the rule.',
        });
      const { result, commit } = await graph.commit((tx) =>
        addToGateRegistry(tx, graph.name, { name, kind, required, absorbs, types, from, to }),
      );
      return { name, kind, outcome: result, commit_id: commit?.id ?? null };
    },
  });
}
