import { KeptConnection } from '../../cypher/cypher-access.js';
import type { Graph } from '../../engine/graph.js';
import { targetSettings } from '../../gate/cypher/target-settings.js';
import { EngineTarget } from '../../gate/engine-target.js';
import { openFormula } from '../../gate/formula/open-formula.js';
import { Gate } from '../../gate/gate.js';
import type { GateTarget } from '../../gate/gate-target.js';
import { openRegistrySource } from '../../gate/open-registry-source.js';
import { GraphSource } from '../../gate/registry/graph-source.js';
import type { RegistrySource } from '../../gate/registry/schema-registry.js';
import { checkReviewSettings } from '../../gate/review/check-review-settings.js';
import type { RulesInForce } from '../../gate/rules-in-force.js';
import type { CallContext } from '../call-context.js';
import { gateAddTool } from '../graph/people/gate/people-gate-add.js';
import { gateRemoveTool } from '../graph/people/gate/people-gate-remove.js';
import { databaseNeeded, type Surface, type SurfaceContext, type SurfaceFactory } from '../surface.js';
import type { Tool } from '../tool.js';
import { databaseTarget } from './gate-database-target.js';
import { gateRefreshSchemaCache } from './gate-refresh-schema-cache.js';
import { gateRegistryResource } from './gate-registry-resource.js';
import type { OpenedGate } from './gate-tool.js';
import { gateWriteNode } from './gate-write-node.js';
import { gateWriteRelationship } from './gate-write-relationship.js';

/** Short, since it is always in the context of the agent. */
export const gateInstructions = `A knowledge graph behind a gate: what you write is checked against a schema and stamped with its origin. This surface only writes; another one reads.
Write when a source states a fact that the schema can express: things with write_node, their connections with write_relationship. Always give the source and how you found it (extraction_method); confidence is computed, never declared. Use the same merge_keys for the same thing every time.
A rejected write stored nothing: read message and details, fix the call and try again. A held write is stored on a branch until somebody reviews it, and not where others read: do not write it again. If the schema cannot express a true fact, tell the user instead of forcing it into another label.
Do not write passwords, keys or tokens, guesses, or what no source states.`;

export const gateFactory: SurfaceFactory = { name: 'gate', open: openGateSurface };

async function openGateSurface({
  store,
  graph,
  settings,
  warn,
  onRefused,
}: SurfaceContext): Promise<Surface> {
  if (!store.capabilities.rejections) throw databaseNeeded('gate');
  const { gate: given = {}, schemas } = settings;
  checkReviewSettings(given);
  const settingsOfTarget = targetSettings(given);
  const target = settingsOfTarget && new KeptConnection(settingsOfTarget);
  const source = openRegistrySource(given, { graph, schemas, target });
  const gate = await Gate.open({
    source,
    fallbackLabel: given.fallback_label,
    unknownLabels: given.unknown_label_policy,
    conflicts: given.conflicts,
    formula: await openFormula(given.formula),
    trust: given.trust,
    suspiciousText: given.suspicious_text,
    keep: (rejection) => store.keepRejection(graph.name, rejection),
    onRefused: (refused) => onRefused?.(graph.name, refused),
    warn,
  });
  const targetFor = target === undefined ? graphTarget : databaseTarget(target, gate, warn);
  const tools = cachedTools({ gate, targetFor });
  const stopFollowing = followRegistry(gate, source, graph);
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
    async close() {
      stopFollowing();
      await target?.close();
    },
  };
}

function graphTarget({ graph, history }: CallContext): GateTarget {
  return new EngineTarget(graph, {
    branch: graph.branch,
    on: (branch) => graph.on(branch),
    branches: () => history.branches(),
    createBranch: (name, from) => history.createBranch(name, from),
    discardBranch: (made) => history.discardBranch(made),
  });
}

/** Commits of these tools may change the registry in the graph; after others, agents refresh it. */
const registryEditors: readonly string[] = [gateAddTool, gateRemoveTool, 'undo'];

/** A rule that a person adds or removes holds at once, or no longer. */
function followRegistry(gate: Gate, source: RegistrySource, graph: Graph): () => void {
  if (!(source instanceof GraphSource)) return () => {};
  return graph.events.onCommit(({ actor, tool }) => {
    if (registryEditors.includes(tool)) void gate.refreshSchema({ actor, tool });
  });
}

/** The descriptions list what the gate accepts, so the tools change with the registry. */
function cachedTools(opened: OpenedGate): () => readonly Tool[] {
  const { gate } = opened;
  let from: object | undefined;
  let made: readonly Tool[] | undefined;
  return () => {
    if (made !== undefined && from === gate.schema) return made;
    from = gate.schema;
    const rules = currentRules(gate);
    made = [
      gateWriteNode(opened, rules),
      gateWriteRelationship(opened, rules),
      gateRefreshSchemaCache(opened),
    ];
    return made;
  };
}

/** Undefined until a registry has been loaded. */
function currentRules(gate: Gate): RulesInForce | undefined {
  return gate.schema === undefined ? undefined : gate.rules();
}
