import { addObservationsStrict } from '../../engine/write/add-observations-strict.js';
import { deleteObservations } from '../../engine/write/delete-observations.js';
import { nodeNotFound } from '../../engine/write/nodes-by-name.js';
import { GraphManager } from './graph-access.js';

export class MetadataManager extends GraphManager {
  /** Appends entries the node does not have yet; throws if the node is missing. */
  addMetadata(nodeName: string, metadata: readonly string[]): Promise<void> {
    const items = [{ name: nodeName, texts: metadata }];
    return this.graph.write('addMetadata', { nodeName, metadata }, (tx) =>
      addObservationsStrict(tx, items, nodeNotFound),
    );
  }

  /** Removes entries by exact text; throws if the node is missing. */
  deleteMetadata(nodeName: string, metadata: readonly string[]): Promise<void> {
    return this.graph.write('deleteMetadata', { nodeName, metadata }, async (tx) => {
      const { nodesNotFound } = await deleteObservations(tx, [{ name: nodeName, texts: metadata }]);
      for (const name of nodesNotFound) nodeNotFound(name);
    });
  }
}
