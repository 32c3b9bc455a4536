import { createNodesStrict } from '../../engine/write/create-nodes-strict.js';
import { deleteNodes } from '../../engine/write/delete-nodes.js';
import { updateNodes } from '../../engine/write/update-nodes.js';
import { GraphManager } from './graph-manager.js';
import { GraphValidator } from './graph-validator.js';
import {
  libraryNodeSpec,
  type MemoryMeshNode,
  type MemoryMeshNodeUpdate,
  toEngineNodeUpdate,
} from './memorymesh-shapes.js';

/** Nodes (seed 4.2). Each call is all or nothing. */
export class NodeManager extends GraphManager {
  /** Adds nodes; a name that exists, or comes twice, refuses all. */
  async addNodes(nodes: readonly MemoryMeshNode[]): Promise<void> {
    nodes.forEach(GraphValidator.validateNodeProperties);
    await this.graph.announced('AddNodes', {
      before: { nodes },
      work: () => this.graph.write('addNodes', (tx) => createNodesStrict(tx, nodes.map(libraryNodeSpec))),
      after: () => ({ nodes }),
    });
  }

  /** Replaces the metadata, changes the kind; an unknown name refuses all. */
  async updateNodes(updates: readonly MemoryMeshNodeUpdate[]): Promise<void> {
    await this.graph.announced('UpdateNodes', {
      before: { nodes: updates },
      work: () => this.graph.write('updateNodes', (tx) => updateNodes(tx, updates.map(toEngineNodeUpdate))),
      after: () => ({ nodes: updates }),
    });
  }

  /** Removes nodes and every edge that touches them; unknown names are passed over. */
  async deleteNodes(names: readonly string[]): Promise<void> {
    await this.graph.announced('DeleteNodes', {
      before: { names },
      work: () => this.graph.write('deleteNodes', (tx) => deleteNodes(tx, names, { stubs: false })),
      after: () => ({ names }),
    });
  }
}
