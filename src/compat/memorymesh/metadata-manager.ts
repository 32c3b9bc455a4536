import { addObservationsStrict } from '../../engine/write/add-observations-strict.js';
import { deleteObservations } from '../../engine/write/delete-observations.js';
import { nodeNotFound } from '../../engine/write/nodes-by-name.js';
import { GraphManager } from './graph-manager.js';

/** Metadata of nodes (seed 4.4). */
export class MetadataManager extends GraphManager {
  /** Appends entries the node does not have yet; throws if there is no such node. */
  async addMetadata(nodeName: string, metadata: readonly string[]): Promise<void> {
    const items = [{ name: nodeName, texts: metadata }];
    await this.graph.announced('AddMetadata', {
      before: { nodeName, metadata },
      work: () => this.graph.write('addMetadata', (tx) => addObservationsStrict(tx, items, nodeNotFound)),
      after: () => ({ nodeName, metadata }),
    });
  }

  /** Removes entries by exact text; throws if there is no such node. */
  async deleteMetadata(nodeName: string, metadata: readonly string[]): Promise<void> {
    await this.graph.announced('DeleteMetadata', {
      before: { nodeName, metadata },
      work: () =>
        this.graph.write('deleteMetadata', async (tx) => {
          const { nodesNotFound } = await deleteObservations(tx, [{ name: nodeName, texts: metadata }]);
          for (const name of nodesNotFound) nodeNotFound(name);
        }),
      after: () => ({ nodeName, metadata }),
    });
  }
}
