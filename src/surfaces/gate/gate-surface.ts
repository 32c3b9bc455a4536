import { openFormula } from '../../gate/formula/open-formula.js';
import { Gate } from '../../gate/gate.js';
import { openRegistrySource } from '../../gate/open-registry-source.js';
import type { RulesInForce } from '../../gate/rules-in-force.js';
import { databaseNeeded, type Surface, type SurfaceContext, type SurfaceFactory } from '../surface.js';
import type { Tool } from '../tool.js';
import { gateRefreshSchemaCache } from './gate-refresh-schema-cache.js';
import { gateRegistryResource } from './gate-registry-resource.js';
import { gateWriteNode } from './gate-write-node.js';
import { gateWriteRelationship } from './gate-write-relationship.js';

/** Short, since it is always in the context of the agent. */
export const gateInstructions = `A knowledge graph behind a gate: what you write is checked against a schema and stamped with its origin.
Write things with write_node and their connections with write_relationship. Always give the source and how you found it (extraction_method); confidence is computed, never declared. Use the same merge_keys for the same thing every time.
A rejected write stored nothing: read message and details, fix the call and try again. If the schema cannot express a true fact, tell the user instead of forcing it into another label.`;

export const gateFactory: SurfaceFactory = { name: 'gate', open: openGateSurface };

async function openGateSurface({ store, graph, settings, warn, rejected }: SurfaceContext): Promise<Surface> {
  if (!store.capabilities.rejections) throw databaseNeeded('gate');
  const { gate: given = {}, schemas } = settings;
  const gate = await Gate.open({
    source: openRegistrySource(given, { graph, schemas }),
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
  const tools = cachedTools(gate);
  return {
    name: 'gate',
    serverName: 'write-gate',
    title: 'Trellis write gate',
    instructions: gateInstructions,
    get tools() {
      return tools();
    },
    resources: [gateRegistryResource(gate)],
    prompts: [],
    onToolsChanged(listener) {
      let before = JSON.stringify(currentRules(gate));
      return gate.onSchemaChanged(() => {
        const after = JSON.stringify(currentRules(gate));
        if (after !== before) listener();
        before = after;
      });
    },
  };
}

/** The descriptions list what the gate accepts, so the tools change with the registry. */
function cachedTools(gate: Gate): () => readonly Tool[] {
  let from: object | undefined;
  let made: readonly Tool[] | undefined;
  return () => {
    if (made !== undefined && from === gate.schema) return made;
    from = gate.schema;
    const rules = currentRules(gate);
    made = [gateWriteNode(gate, rules), gateWriteRelationship(gate, rules), gateRefreshSchemaCache(gate)];
    return made;
  };
}

/** Undefined until a registry has been loaded. */
function currentRules(gate: Gate): RulesInForce | undefined {
  return gate.schema === undefined ? undefined : gate.rules();
}
