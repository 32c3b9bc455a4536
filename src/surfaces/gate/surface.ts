import { openFormula } from '../../gate/formula/open-formula.js';
import { Gate } from '../../gate/gate.js';
import { openSource } from '../../gate/open-source.js';
import { TrellisError } from '../../model/error.js';
import type { Surface, SurfaceContext, SurfaceKind } from '../surface.js';
import { instructions } from './instructions.js';
import { refreshSchemaCache } from './refresh-schema-cache.js';
import { writeNode } from './write-node.js';
import { writeRelationship } from './write-relationship.js';

/** Writes that are checked against a schema and stamped with their origin, and no way around that. */
export const gateKind: SurfaceKind = { name: 'gate', open };

async function open({ store, graph, settings, warn, rejected }: SurfaceContext): Promise<Surface> {
  if (!store.capabilities.rejections) {
    throw new TrellisError('CAPABILITY_MISSING', 'A file of JSON lines cannot hold what the gate writes.', {
      hint: 'Bring it into a database with: trellis import FILE --store trellis.db',
    });
  }
  const { gate: given = {}, schemas } = settings;
  const gate = await Gate.open({
    source: openSource(given, { graph, schemas }),
    fallbackLabel: given.fallback_label,
    unknownLabels: given.unknown_label_policy,
    conflicts: given.conflicts,
    formula: await openFormula(given.formula),
    async keep(rejection) {
      rejected?.(rejection.code);
      await store.keepRejection(graph.name, rejection);
    },
    warn,
  });
  return {
    name: 'gate',
    serverName: 'write-gate',
    title: 'Trellis write gate',
    instructions,
    tools: [writeNode(gate), writeRelationship(gate), refreshSchemaCache(gate)],
    resources: [],
    prompts: [],
  };
}
