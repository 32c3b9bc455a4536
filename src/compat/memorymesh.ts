export { createSchemaNode } from '../schema/mesh/create-schema-node.js';
export {
  type PropertyConfig,
  type RelationshipConfig,
  SchemaBuilder,
  type SchemaConfig,
} from '../schema/mesh/schema-builder.js';
export { SchemaLoader } from '../schema/mesh/schema-loader.js';
export { ApplicationManager } from './memorymesh/application-manager.js';
export { EdgeManager } from './memorymesh/edge-manager.js';
export { EdgeWeightUtils } from './memorymesh/edge-weight-utils.js';
export { EventEmitter, type Listener } from './memorymesh/event-emitter.js';
export type { MemoryMeshGraphSource as GraphSource } from './memorymesh/graph-access.js';
export { GraphValidator } from './memorymesh/graph-validator.js';
export type {
  EdgeFilter,
  EdgeIdentifier,
  MemoryMeshEdge as Edge,
  MemoryMeshEdgeUpdate as EdgeUpdate,
  MemoryMeshGraph as Graph,
  MemoryMeshNode as Node,
  MemoryMeshNodeUpdate as NodeUpdate,
} from './memorymesh/memorymesh-shapes.js';
export { MetadataManager } from './memorymesh/metadata-manager.js';
export { MetadataProcessor } from './memorymesh/metadata-processor.js';
export { NodeManager } from './memorymesh/node-manager.js';
export { SearchManager } from './memorymesh/search-manager.js';
export { type RollbackAction, TransactionManager } from './memorymesh/transaction-manager.js';
