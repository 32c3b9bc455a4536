import type { Graph } from '../engine/graph.js';
import type { NodeSpec } from '../engine/specs.js';
import { type EdgeImportRecord, type ImportCounts, importRecords } from '../engine/write/import-records.js';
import type { Author } from '../model/commit.js';
import type { ImportedNode, ImportItem } from './import-format.js';

const noCounts: ImportCounts = {
  nodesCreated: 0,
  nodesMerged: 0,
  nodesUnchanged: 0,
  observationsAdded: 0,
  edgesCreated: 0,
  edgesUnchanged: 0,
};

/** Limits the memory that long texts take. */
const batchCharacters = 16_777_216;

export interface LoadOptions {
  readonly author: Author;
  /** Nodes and edges per commit. */
  readonly batchItems: number;
}

export async function loadImport(
  graph: Graph,
  items: AsyncIterable<ImportItem>,
  options: LoadOptions,
): Promise<ImportCounts> {
  let total = noCounts;
  let batch = emptyBatch();
  const flush = async () => {
    const { nodes, edges } = batch;
    batch = emptyBatch();
    if (nodes.length + edges.length === 0) return;
    total = sum(total, await graph.write(options.author, (tx) => importRecords(tx, { nodes, edges })));
  };
  for await (const item of items) {
    if (item.kind === 'node') {
      batch.nodes.push(item);
      batch.characters += length(item);
    } else if (item.kind === 'edge') batch.edges.push(item);
    else continue;
    if (batch.nodes.length + batch.edges.length >= options.batchItems || batch.characters >= batchCharacters)
      await flush();
  }
  await flush();
  return total;
}

function emptyBatch(): { nodes: NodeSpec[]; edges: EdgeImportRecord[]; characters: number } {
  return { nodes: [], edges: [], characters: 0 };
}

function length({ observations, summary }: ImportedNode): number {
  return observations.reduce((count, text) => count + text.length, summary?.length ?? 0);
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
