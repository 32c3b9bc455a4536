/** The write gate as a library: `import { Gate, InMemorySource } from 'trellis-memory/gate'`. */

export type { WritableGraph } from '../engine/graph.js';
export { type RejectionCode, rejectionCodes } from './check/rejected-error.js';
export { EngineTarget } from './engine-target.js';
export { AdmiraltyFormulaProvider } from './formula/admiralty-formula.js';
export { CorroborateFormulaProvider } from './formula/corroborate-formula.js';
export { DecayFormulaProvider } from './formula/decay-formula.js';
export { DefaultFormulaProvider, FlatFormulaProvider } from './formula/default-formula.js';
export type { Evidence, FormulaProvider } from './formula/formula-provider.js';
export { StixFormulaProvider } from './formula/stix-formula.js';
export { Gate, type GateOptions } from './gate.js';
export type { NodeWritten, RejectedAnswer, RelationshipWritten, SchemaRefreshed } from './gate-results.js';
export type { ConflictPolicy, GateSettings, UnknownLabelPolicy } from './gate-settings.js';
export type { GateTarget, GateTransaction, Keys, StoredNode, StoredRelationship } from './gate-target.js';
export { FileSource } from './registry/file-source.js';
export { FolderSource } from './registry/folder-source.js';
export { GraphSource } from './registry/graph-source.js';
export { ModuleSource } from './registry/module-source.js';
export { InMemorySource, inMemoryRegistry } from './registry/registry-snapshot.js';
export type {
  PropertyType,
  RegistrySource,
  RelationEntry,
  SchemaDocument,
  SchemaEntry,
  SchemaRegistry,
} from './registry/schema-registry.js';
export type { RulesInForce } from './rules-in-force.js';
export { gateVersion } from './stamp.js';
