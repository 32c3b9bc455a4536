import type { Reader } from '../../../src/store/reader.js';
import type { Writer } from '../../../src/store/writer.js';

/** A graph as tests write it down: observations by name, edges as "from type to". */
export interface Drawn {
  readonly nodes: Readonly<Record<string, readonly string[]>>;
  readonly edges?: readonly string[];
  readonly type?: string;
}

/** Writes nodes that are not there yet, and edges between nodes; answers the ids by name. */
export async function put(
  writer: Writer,
  { nodes, edges = [], type = 'thing' }: Drawn,
): Promise<Readonly<Record<string, number>>> {
  const names = Object.keys(nodes);
  const known = (await writer.identitiesNamed(names)).filter((identity) => identity.type === type);
  const added = await writer.addIdentities(
    names.filter((name) => !known.some((identity) => identity.name === name)).map((name) => ({ type, name })),
  );
  const ids = new Map([...known, ...added].map((identity) => [identity.name, identity.node]));
  const id = (name: string) => ids.get(name) ?? 0;
  await writer.putNodes(names.map((name) => ({ id: id(name), type, name })));
  await writer.putObservations(
    names.flatMap((name) => (nodes[name] ?? []).map((text) => ({ node: id(name), text }))),
  );
  const ends = edges.flatMap((edge) => edge.split(' ').filter((_, index) => index !== 1));
  for (const node of await writer.nodesNamed(ends)) ids.set(node.name, node.id);
  await writer.putEdges(
    edges.map((edge) => {
      const [from = '', edgeType = '', to = ''] = edge.split(' ');
      return { from: id(from), to: id(to), type: edgeType, key: '', fromName: from, toName: to };
    }),
  );
  return Object.fromEntries(ids);
}

/** Everything a reader sees, as tests write it down. */
export async function seen(reader: Reader): Promise<{ nodes: Record<string, string[]>; edges: string[] }> {
  const nodes = await reader.nodes();
  const observations = await reader.observationsOf(nodes.map((node) => node.id));
  return {
    nodes: Object.fromEntries(
      nodes.map((node) => [
        node.name,
        observations.filter((observation) => observation.node === node.id).map(({ text }) => text),
      ]),
    ),
    edges: (await reader.edges()).map((edge) => `${edge.fromName} ${edge.type} ${edge.toName}`),
  };
}
