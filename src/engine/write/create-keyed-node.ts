import { TrellisError } from '../../model/error.js';
import type { Props } from '../../model/json.js';
import type { NodeId } from '../../model/node.js';
import type { Provenance } from '../../model/provenance.js';
import { checkName, checkShortText } from '../../model/text.js';
import type { Identity } from '../../store/read-results.js';
import type { Transaction } from '../graph.js';
import { assignNodeIds, claimStubs, missingNodeId } from './assign-node-ids.js';
import { NodesByName } from './nodes-by-name.js';

/** A node identified by type and name, described by properties. */
interface KeyedNode {
  readonly type: string;
  /** Best first: it gets the first that no other node of its type has. */
  readonly names: Iterable<string>;
  readonly props: Props;
  readonly summary?: string | null;
  readonly tags?: readonly string[];
  readonly provenance?: Provenance | null;
  /** What becomes of a stub of its name: it becomes this node (default), the node avoids that name, or both exist. */
  readonly stub?: 'claimed' | 'avoided' | 'ignored';
}

export interface NameLookup {
  readonly name: string;
  readonly nodes: NodesByName;
}

export async function createKeyedNode(
  tx: Transaction,
  { type, names, provenance = null, stub = 'claimed', ...content }: KeyedNode,
  known?: NameLookup,
): Promise<{ readonly id: NodeId; readonly name: string }> {
  checkShortText(type, 'The type of a node');
  const { name, existing, identities } = await findFreeName(tx, { type, names, stub }, known);
  tx.announce('createNodes', { nodes: [{ type, name, observations: [] }] });
  const [identified] = await assignNodeIds(tx.rows, [{ type, name, observations: [] }], existing, identities);
  const id = identified?.id ?? missingNodeId(name);
  const summaryUpdatedAt = typeof content.summary === 'string' ? tx.rows.now : null;
  const draft = { id, type, name, provenance, ...content, summaryUpdatedAt };
  await claimStubs(tx.rows, [draft], existing);
  await tx.rows.putNodes([draft]);
  return { id, name };
}

async function findFreeName(
  tx: Transaction,
  { type, names, stub }: Pick<KeyedNode, 'type' | 'names' | 'stub'>,
  known: NameLookup | undefined,
) {
  const taken: string[] = [];
  for (const name of names) {
    checkName(name, 'The name of a node');
    const [named, identities] = await Promise.all([
      name === known?.name ? known.nodes : NodesByName.load(tx.rows, [{ name }]),
      tx.rows.identitiesNamed([name]),
    ]);
    const isStubs = named.stub(name) !== undefined && stub === 'avoided';
    const existing = stub === 'ignored' ? NodesByName.from([]) : named;
    if (!isStubs && !(await isTaken(tx, type, identities))) return { name, existing, identities };
    taken.push(name);
  }
  throw new TrellisError(
    'AMBIGUOUS_NAME',
    `Other nodes of type ${type} are already named ${taken.join(', ')}.`,
    { hint: 'Use another key.', details: { type, names: taken } },
  );
}

/** A pair whose node was deleted means the new one. */
async function isTaken(tx: Transaction, type: string, identities: readonly Identity[]): Promise<boolean> {
  const meant = identities.filter((identity) => identity.type === type).map(({ node }) => node);
  return (await tx.rows.nodesById(meant)).some(({ stub }) => !stub);
}
