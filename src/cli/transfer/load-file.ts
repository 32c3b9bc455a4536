import type { Graph } from '../../engine/graph.js';
import {
  type EdgeImportRecord,
  type ImportCounts,
  importRecords,
  type NodeImportRecord,
} from '../../engine/write/import-records.js';
import type { Author } from '../../model/commit.js';
import { fileRecords } from './scan-file.js';

const noCounts: ImportCounts = {
  nodesCreated: 0,
  nodesMerged: 0,
  nodesUnchanged: 0,
  observationsAdded: 0,
  edgesCreated: 0,
  edgesUnchanged: 0,
};

/** Limits the memory that long lines take. */
const batchCharacters = 16_777_216;

export interface LoadOptions {
  readonly author: Author;
  /** Lines per commit. */
  readonly batchLines: number;
  readonly onBytes?: (count: number) => void;
}

export async function loadFile(graph: Graph, path: string, options: LoadOptions): Promise<ImportCounts> {
  let total = noCounts;
  let batch = emptyBatch();
  const flush = async () => {
    const { nodes, edges } = batch;
    batch = emptyBatch();
    if (nodes.length + edges.length === 0) return;
    total = sum(total, await graph.write(options.author, (tx) => importRecords(tx, { nodes, edges })));
  };
  for await (const record of fileRecords(path, options.onBytes)) {
    if (record.kind === 'node') batch.nodes.push(record);
    else if (record.kind === 'edge') batch.edges.push(record);
    else continue;
    batch.characters += record.text?.length ?? 0;
    if (
      batch.nodes.length + batch.edges.length >= options.batchLines ||
      batch.characters >= batchCharacters
    ) {
      await flush();
    }
  }
  await flush();
  return total;
}

function emptyBatch(): { nodes: NodeImportRecord[]; edges: EdgeImportRecord[]; characters: number } {
  return { nodes: [], edges: [], characters: 0 };
}

function sum(a: ImportCounts, b: ImportCounts): ImportCounts {
  return {
    nodesCreated: a.nodesCreated + b.nodesCreated,
    nodesMerged: a.nodesMerged + b.nodesMerged,
    nodesUnchanged: a.nodesUnchanged + b.nodesUnchanged,
    observationsAdded: a.observationsAdded + b.observationsAdded,
    edgesCreated: a.edgesCreated + b.edgesCreated,
    edgesUnchanged: a.edgesUnchanged + b.edgesUnchanged,
  };
}
