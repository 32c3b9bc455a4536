import type { Transaction } from '../engine/graph.js';
import type { EdgeSpec, NodeSpec } from '../engine/specs.js';
import { type EdgeImportRecord, importRecords } from '../engine/write/import-records.js';
import type { Edge } from '../model/edge.js';
import type { Node } from '../model/node.js';
import { retainProvenance } from '../model/provenance.js';
import { shownProps } from '../model/render-props.js';

/** Leaves only these nodes and edges; those that stay keep what a graph of strings cannot express. */
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

function keepDescriptions(wanted: readonly NodeSpec[], nodes: readonly Node[]): NodeSpec[] {
  const byName = new Map(nodes.map((node) => [node.name, node]));
  return wanted.map((spec) => {
    const node = byName.get(spec.name);
    if (node === undefined) return spec;
    // Properties are shown as observations: one that is listed again stays, and so does one that was never shown.
    const texts = new Set(spec.observations);
    const shown = shownProps(node);
    const leftOut = new Set(shown.filter(({ text }) => !texts.has(text)).map(({ key }) => key));
    const props = Object.fromEntries(Object.entries(node.props).filter(([key]) => !leftOut.has(key)));
    const rendered = new Set(shown.map(({ text }) => text));
    return {
      ...spec,
      observations: spec.observations.filter((text) => !rendered.has(text)),
      summary: node.summary,
      tags: node.tags,
      props,
      provenance: retainProvenance(node, props),
    };
  });
}

function keepWeights(wanted: readonly EdgeSpec[], edges: readonly Edge[]): EdgeImportRecord[] {
  const triple = (from: string, type: string, to: string) => JSON.stringify([from, type, to]);
  const known = new Map(edges.map((edge) => [triple(edge.fromName, edge.type, edge.toName), edge]));
  return wanted.map((spec) => {
    const edge = known.get(triple(spec.from, spec.type, spec.to));
    return edge === undefined
      ? spec
      : { ...spec, weight: edge.weight, props: edge.props, provenance: edge.provenance };
  });
}
