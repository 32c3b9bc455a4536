import { createNodesStrict } from '../../engine/write/create-nodes-strict.js';
import { deleteNodes } from '../../engine/write/delete-nodes.js';
import { updateNodes } from '../../engine/write/update-nodes.js';
import { GraphManager } from './graph-access.js';
import { GraphValidator } from './graph-validator.js';
import {
  libraryNodeSpec,
  type MemoryMeshNode,
  type MemoryMeshNodeUpdate,
  toEngineNodeUpdate,
} from './memorymesh-shapes.js';

/** Each call is all or nothing. */
export class NodeManager extends GraphManager {
  /** Rejects all if a name exists or occurs twice. */
  async addNodes(nodes: readonly MemoryMeshNode[]): Promise<void> {
    nodes.forEach(GraphValidator.validateNodeProperties);
    await this.graph.write('addNodes', { nodes }, (tx) => createNodesStrict(tx, nodes.map(libraryNodeSpec)));
  }

  /** Replaces the metadata, changes the type. Rejects all if a name is unknown. */
  updateNodes(nodes: readonly MemoryMeshNodeUpdate[]): Promise<void> {
    return this.graph.write('updateNodes', { nodes }, (tx) => updateNodes(tx, nodes.map(toEngineNodeUpdate)));
  }

  /** Removes nodes and their edges; skips unknown names. */
  deleteNodes(names: readonly string[]): Promise<void> {
    return this.graph.write('deleteNodes', { names }, (tx) => deleteNodes(tx, names, { stubs: false }));
  }
}
