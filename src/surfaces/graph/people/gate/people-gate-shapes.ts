import { z } from 'zod';
import type { Permission } from '../../../../access/permission.js';
import { TemporaryConnection } from '../../../../cypher/cypher-access.js';
import type { CypherAccess } from '../../../../cypher/cypher-connection.js';
import { targetSettings } from '../../../../gate/cypher/target-settings.js';
import { openRegistrySource } from '../../../../gate/open-registry-source.js';
import { registryLocationOf } from '../../../../gate/registry/registry-location.js';
import { gatePropertyTypes, type RegistrySource } from '../../../../gate/registry/schema-registry.js';
import { TrellisError } from '../../../../model/error.js';
import type { BoundGraph, CallContext } from '../../../call-context.js';
import { storedName } from '../../../common-shapes.js';
import { unknownTool } from '../../../dispatch.js';
import type { SurfaceSettings } from '../../../surface.js';

/** What the gate is configured with. */
export type GateRouteSettings = Pick<SurfaceSettings, 'gate' | 'schemas'>;

const names = (description: string) => z.array(storedName).max(1_000).optional().describe(description);

/** An entry of the registry, as it is added. */
export const ruleFields = {
  kind: z.enum(['node', 'relationship']).describe('node: a label; relationship: a type of relationships'),
  name: storedName.describe('The label or type'),
  required: names('Properties that every write must include'),
  absorbs: names('Other labels that are written as this one; only for labels'),
  types: z.record(storedName, z.enum(gatePropertyTypes)).optional().describe('The types of properties'),
  from: names('Labels that the relationship may start from; default: any'),
  to: names('Labels that the relationship may lead to; default: any'),
};

/** Reviewing is for those who write through the gate or decide what it accepts. */
export function requireReviewer({ may }: CallContext, branch: string, tool: string): void {
  if (!may([{ action: 'gate_write', branch }]) && !may([{ action: 'schema_apply', branch }]))
    throw unknownTool(tool);
}

export function registrySource(
  settings: GateRouteSettings,
  { graph }: CallContext,
  branch: string,
): RegistrySource {
  const { gate = {}, schemas } = settings;
  return openRegistrySource(gate, { graph: graph.on(branch), schemas, target: registryTarget(settings) });
}

/** The graph database that the gate writes to, if it does. */
export function registryTarget({ gate = {} }: GateRouteSettings): CypherAccess | undefined {
  const target = targetSettings(gate);
  return target && new TemporaryConnection(target);
}

/** For tools that change the registry. */
export const registryPermissions = (args?: {
  readonly branch?: string | undefined;
}): readonly Permission[] => [
  { action: 'schema_apply', branch: args?.branch },
  { action: 'read', branch: args?.branch },
];

/** The graph whose registry a tool changes. */
export async function graphWithRegistry(
  settings: GateRouteSettings,
  call: CallContext,
  branch: string,
): Promise<BoundGraph> {
  const graph = call.graph.on(branch);
  if ((await registryLocationOf(registrySource(settings, call, branch), graph)) !== 'elsewhere') return graph;
  throw new TrellisError('INVALID_ARGUMENT', 'The gate registry of this graph is kept outside of it.', {
    hint: 'Nothing was changed. Ask the operator of the server to change it.',
  });
}
