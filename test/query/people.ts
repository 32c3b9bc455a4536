import type { Props } from '../../src/model/json.js';
import type { Store } from '../../src/store/store-contract.js';
import type { Writer } from '../../src/store/writer.js';

/** A node and how it is described. */
export interface Described {
  readonly type: string;
  readonly name: string;
  readonly props?: Props;
  readonly summary?: string;
  readonly tags?: readonly string[];
  readonly observations?: readonly string[];
}

/** An edge between the names of two nodes. */
export type Tie = readonly [from: string, type: string, to: string, props?: Props, key?: string];

const author = { actor: 'ann', tool: 'test' };

async function describeNodes(writer: Writer, nodes: readonly Described[]): Promise<void> {
  for (const { type, name, props = {}, summary = null, tags = [], observations = [] } of nodes) {
    const known = (await writer.identitiesNamed([name])).find((identity) => identity.type === type);
    const id = known?.node ?? (await writer.addIdentities([{ type, name }]))[0]?.node ?? 0;
    await writer.putNodes([{ id, type, name, props, summary, tags }]);
    await writer.putObservations(observations.map((text) => ({ node: id, text })));
  }
}

async function tieNodes(writer: Writer, ties: readonly Tie[]): Promise<void> {
  const nodes = await writer.nodes();
  const id = (name: string) => nodes.find((node) => node.name === name)?.id ?? 0;
  await writer.putEdges(
    ties.map(([from, type, to, props = {}, key = '']) => ({
      ...{ from: id(from), to: id(to), fromName: from, toName: to, type, key, props },
    })),
  );
}

/** Writes nodes, then edges, as one commit; answers its id. */
export async function write(
  store: Store,
  nodes: readonly Described[],
  ties: readonly Tie[] = [],
  branch = 'main',
): Promise<string> {
  const { commit } = await store.write({ graph: 'default', branch }, author, async (writer) => {
    await describeNodes(writer, nodes);
    await tieNodes(writer, ties);
  });
  return commit?.id ?? '';
}
