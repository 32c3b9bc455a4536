import { z } from 'zod';
import { countDrift, visitGraphNodes } from '../../../../gate/count-drift.js';
import { visitDatabaseNodes } from '../../../../gate/cypher/visit-database-nodes.js';
import type { DriftedName } from '../../../../gate/drift-counter.js';
import { registryLocationOf } from '../../../../gate/registry/registry-location.js';
import { isTooLong } from '../../../../gate/truncate.js';
import { defineTool, type Tool } from '../../../tool.js';
import { reads } from '../../../tool-annotations.js';
import { branchInput } from '../../graph-shapes.js';
import { readPermission } from '../people-shapes.js';
import {
  type GateRouteSettings,
  registrySource,
  registryTarget,
  requireReviewer,
  ruleFields,
} from './people-gate-shapes.js';

const name = 'people_gate_drift';
const input = z.object({ branch: branchInput('The branch to compare with its registry') });
const driftedName = z.object({
  name: z.string(),
  count: z.int(),
  suggested: z.string().optional().describe('The registered name it probably means'),
  rule: z.object(ruleFields).optional().describe('What to add to the registry to let it in'),
});
export const gateDriftOutput = z.object({
  labels: z.array(driftedName),
  relationship_types: z.array(driftedName),
  properties: z
    .array(z.object({ label: z.string(), property: z.string(), count: z.int() }))
    .describe('They are let in: the gate checks only what the registry declares'),
});
type Drifted = z.output<typeof driftedName>;

export function peopleGateDrift(settings: GateRouteSettings): Tool<z.output<typeof input>> {
  return defineTool({
    name,
    title: 'Count drift',
    description:
      'Count the labels, relationship types and properties that agents use and the gate registry lacks, most frequent first.',
    input,
    output: gateDriftOutput,
    annotations: reads,
    action: readPermission,
    async run(call, { branch = call.graph.branch }) {
      requireReviewer(call, branch, name);
      const source = registrySource(settings, call, branch);
      const graph = call.graph.on(branch);
      const rejections: typeof call.history.rejections = (page) => call.history.rejections(page);
      const target = registryTarget(settings);
      const drift = await countDrift(await source.load(), {
        rejections,
        nodes: (visit) =>
          target === undefined ? visitGraphNodes(graph, visit) : visitDatabaseNodes(target, visit),
      });
      const canAdd = (await registryLocationOf(source, graph)) === 'graph';
      // Rejections keep only the beginning of a long name, and a rule needs all of it.
      const withRule =
        (kind: 'node' | 'relationship') =>
        (drifted: DriftedName): Drifted =>
          canAdd && !isTooLong(drifted.name) ? { ...drifted, rule: ruleFor(kind, drifted) } : drifted;
      return {
        labels: drift.labels.map(withRule('node')),
        relationship_types: drift.relationship_types.map(withRule('relationship')),
        properties: [...drift.properties],
      };
    },
  });
}

/** A label that looks like a registered one is absorbed by it. Types are never remapped, so they are added. */
function ruleFor(kind: 'node' | 'relationship', drifted: DriftedName): NonNullable<Drifted['rule']> {
  return kind === 'relationship' || drifted.suggested === undefined
    ? { kind, name: drifted.name }
    : { kind, name: drifted.suggested, absorbs: [drifted.name] };
}
