import type { Props } from '../../../src/model/json.js';
import type { Provenance } from '../../../src/model/provenance.js';
import type { Reader } from '../../../src/store/reader.js';

/** A graph as plain lists, for an evaluator that knows nothing of tables. */
export interface NaiveGraph {
  readonly nodes: readonly NaiveNode[];
  readonly edges: readonly NaiveEdge[];
}

export interface NaiveNode {
  /** (type, name) as one text. */
  readonly ref: string;
  readonly type: string;
  readonly name: string;
  readonly props: Props;
  readonly provenance: Provenance | null;
  readonly summary: string | null;
  readonly tags: readonly string[];
  readonly observations: readonly string[];
}

export interface NaiveEdge {
  readonly from: string;
  readonly to: string;
  readonly fromName: string;
  readonly toName: string;
  readonly fromType: string;
  readonly toType: string;
  readonly type: string;
  readonly key: string;
  readonly props: Props;
  readonly provenance: Provenance | null;
}

/** Everything a reader sees. */
export async function naiveGraph(reader: Reader): Promise<NaiveGraph> {
  const real = await reader.nodes();
  const nodes = [...real, ...(await reader.stubs())];
  const refs = new Map(nodes.map(({ id, type, name }) => [id, JSON.stringify([type, name])]));
  const types = new Map(nodes.map(({ id, type }) => [id, type]));
  const observations = await reader.observations();
  const edges = await reader.edges();
  return {
    nodes: real.map(({ id, type, name, props, provenance, summary, tags }) => ({
      ...{ ref: refs.get(id) ?? '', type, name, props, provenance, summary, tags },
      observations: observations.filter(({ node }) => node === id).map(({ text }) => text),
    })),
    edges: edges.map(({ from, to, fromName, toName, type, key, props, provenance }) => ({
      ...{ from: refs.get(from) ?? '', to: refs.get(to) ?? '', fromName, toName, type, key, props },
      ...{ provenance, fromType: types.get(from) ?? '', toType: types.get(to) ?? '' },
    })),
  };
}
