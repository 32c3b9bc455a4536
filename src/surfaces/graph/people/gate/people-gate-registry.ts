import { z } from 'zod';
import { openFormula } from '../../../../gate/formula/open-formula.js';
import { conflictPolicies, unknownLabelPolicies } from '../../../../gate/gate-settings.js';
import { registryLocationOf, registryLocations } from '../../../../gate/registry/registry-location.js';
import { gatePropertyTypes } from '../../../../gate/registry/schema-registry.js';
import { rulesInForce } from '../../../../gate/rules-in-force.js';
import { defineTool, type Tool } from '../../../tool.js';
import { reads } from '../../../tool-annotations.js';
import { branchInput } from '../../graph-shapes.js';
import { readPermission } from '../people-shapes.js';
import { type GateRouteSettings, registrySource, requireReviewer } from './people-gate-shapes.js';

const name = 'people_gate_registry';
const input = z.object({ branch: branchInput('The branch whose registry to read') });
const texts = z.array(z.string());
const entryFields = {
  required_properties: texts,
  property_types: z.record(z.string(), z.enum(gatePropertyTypes)),
};

export const gateRegistryOutput = z.object({
  location: z.enum(registryLocations).describe('Where the registry is kept; graph: POST adds to it'),
  source: z.string().describe('The same for people to read'),
  nodes: z.array(z.object({ label: z.string(), remaps_from: texts, ...entryFields })),
  relationships: z.array(
    z.object({ type: z.string(), from_labels: texts, to_labels: texts, ...entryFields }),
  ),
  unknown_labels: z.enum(unknownLabelPolicies),
  fallback_label: z.string().optional().describe('Unknown labels are written as this one'),
  extraction_methods: texts.optional(),
  conflicts: z.enum(conflictPolicies),
});

export function peopleGateRegistry(settings: GateRouteSettings): Tool<z.output<typeof input>> {
  return defineTool({
    name,
    title: 'Get the gate registry',
    description: 'Get what the write gate accepts: labels, relationship types and their properties.',
    input,
    output: gateRegistryOutput,
    annotations: reads,
    action: readPermission,
    async run(call, { branch = call.graph.branch }) {
      requireReviewer(call, branch, name);
      const source = registrySource(settings, call, branch);
      const registry = await source.load();
      const { gate: { formula, fallback_label, unknown_label_policy = 'remap', conflicts = 'warn' } = {} } =
        settings;
      const { nodes, relationships, extraction_methods, ...rules } = rulesInForce(
        { registry, fallback: fallback_label ?? registry.fallbackLabel() },
        { formula: await openFormula(formula), unknownLabels: unknown_label_policy, conflicts },
      );
      const location = await registryLocationOf(source, call.graph.on(branch));
      return {
        ...rules,
        location,
        source: call.redactor.redactText({
          message: source.name,
          publicMessage: location === 'elsewhere' ? 'a file of the server' : source.name,
        }),
        unknown_labels: unknown_label_policy,
        nodes: nodes.map((entry) => ({ ...entry, ...mutable(entry), remaps_from: [...entry.remaps_from] })),
        relationships: relationships.map((entry) => ({
          ...{ ...entry, ...mutable(entry) },
          ...{ from_labels: [...entry.from_labels], to_labels: [...entry.to_labels] },
        })),
        ...(extraction_methods === undefined ? {} : { extraction_methods: [...extraction_methods] }),
      };
    },
  });
}

function mutable({ required_properties }: { readonly required_properties: readonly string[] }) {
  return { required_properties: [...required_properties] };
}
