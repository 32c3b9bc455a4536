import type { Transaction } from '../engine/graph.js';
import type { EdgeSpec, NodeSpec } from '../engine/specs.js';
import { type EdgeRecord, importRecords, type NodeRecord } from '../engine/write/import-records.js';
import type { Edge } from '../model/edge.js';
import type { Node } from '../model/node.js';

/** Makes the graph hold these nodes and edges alone; of those that stay, summary, tags and weight stay too. */
export async function replaceGraph(
  tx: Transaction,
  wanted: { readonly nodes: readonly NodeSpec[]; readonly edges: readonly EdgeSpec[] },
): Promise<void> {
  const nodes = await tx.rows.nodes();
  const edges = await tx.rows.edges();
  const old = [...nodes, ...(await tx.rows.stubs())].map(({ id }) => id);
  tx.announce('deleteNodes', { names: nodes.map(({ name }) => name) });
  await tx.rows.removeNodes(old);
  await importRecords(tx, {
    nodes: keepDescriptions(wanted.nodes, nodes),
    edges: keepWeights(wanted.edges, edges),
  });
}

function keepDescriptions(wanted: readonly NodeSpec[], nodes: readonly Node[]): NodeRecord[] {
  const byName = new Map(nodes.map((node) => [node.name, node]));
  return wanted.map((spec) => {
    const node = byName.get(spec.name);
    return node === undefined ? spec : { ...spec, summary: node.summary, tags: node.tags };
  });
}

function keepWeights(wanted: readonly EdgeSpec[], edges: readonly Edge[]): EdgeRecord[] {
  const triple = (from: string, type: string, to: string) => JSON.stringify([from, type, to]);
  const weights = new Map(edges.map((edge) => [triple(edge.fromName, edge.type, edge.toName), edge.weight]));
  return wanted.map((spec) => {
    const weight = weights.get(triple(spec.from, spec.type, spec.to));
    return weight === undefined ? spec : { ...spec, weight };
  });
}
