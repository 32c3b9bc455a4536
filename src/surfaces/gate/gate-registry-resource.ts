import type { Gate } from '../../gate/gate.js';
import type { Resource } from '../surface.js';
import { jsonText } from '../tool.js';

export const gateRegistryUri = 'trellis://gate/schema';

export function gateRegistryResource(gate: Gate): Resource {
  return {
    uri: gateRegistryUri,
    name: 'gate-schema',
    title: 'What the gate accepts',
    description:
      'The labels with their required properties and types, the relationship types with the labels they connect, ' +
      'and the extraction methods, as JSON.',
    mimeType: 'application/json',
    action: 'gate_write',
    read: async () => jsonText(gate.rules()),
  };
}
