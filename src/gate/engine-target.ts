import type { Transaction } from '../engine/graph.js';
import { createKeyedNode } from '../engine/write/create-keyed-node.js';
import { NodesByName } from '../engine/write/find-node.js';
import { type Edge, edgeKey } from '../model/edge.js';
import { TrellisError } from '../model/error.js';
import type { Json, Props } from '../model/json.js';
import type { Node } from '../model/node.js';
import type { Written } from '../store/written.js';
import { keyText, qualifiedKeyText } from './key-text.js';
import type {
  GateTarget,
  GateTransaction,
  Keys,
  NodeToStore,
  RelationshipToStore,
  SimilarNode,
  StoredNode,
  StoredRelationship,
} from './target.js';

/** A graph of the engine, bound to whoever writes. */
export interface WritableGraph {
  commit<T>(work: (tx: Transaction) => Promise<T>): Promise<Written<T>>;
}

/** Enough to find a double, few enough to cost next to nothing. */
const perSpelling = 10;

/** Our own engine as a target of the gate. */
export class EngineTarget implements GateTarget {
  readonly #graph: WritableGraph;

  constructor(graph: WritableGraph) {
    this.#graph = graph;
  }

  async write<T>(work: (transaction: GateTransaction) => Promise<T>) {
    const { result, commit } = await this.#graph.commit((tx) => work(new EngineTransaction(tx)));
    return { result, commit: commit?.id ?? null };
  }
}

class EngineTransaction implements GateTransaction {
  readonly now: number;
  readonly #tx: Transaction;
  readonly #nodes = new Map<StoredNode['ref'], Node>();
  readonly #edges = new Map<string, Edge>();
  /** Who bears a name, as far as it was looked for since the last node was made. */
  readonly #named = new Map<string, NodesByName>();

  constructor(tx: Transaction) {
    this.#tx = tx;
    this.now = tx.rows.now;
  }

  async nodesWith(label: string, keys: Keys): Promise<readonly StoredNode[]> {
    const [only] = Object.keys(keys).length === 1 ? Object.keys(keys) : [];
    const [matching, named] = await Promise.all([
      this.#tx.rows.nodesMatching(label, keys),
      only === undefined ? [] : this.#tx.rows.nodesNamed([keyText(keys)]),
    ]);
    if (only !== undefined) this.#named.set(keyText(keys), NodesByName.from(named));
    if (matching.length > 0 || only === undefined) return matching.map((node) => this.#stored(node));
    return named
      .filter((node) => !node.stub && node.type === label && !Object.hasOwn(node.props, only))
      .map((node) => this.#stored(node));
  }

  async putNode({ replaces, label, keys, properties, provenance }: NodeToStore): Promise<StoredNode> {
    if (replaces !== undefined) {
      const node = this.#nodes.get(replaces.ref);
      if (node === undefined)
        throw new TrellisError('INTERNAL', `The gate does not know node ${replaces.ref}.`);
      await this.#tx.rows.putNodes([{ ...node, props: properties, provenance }]);
      return { ...replaces, properties, provenance };
    }
    const names = await this.#namesFor(label, keys, properties);
    const { id, name } = await createKeyedNode(
      this.#tx,
      { type: label, names, props: properties, provenance },
      this.#named.get(names[0]),
    );
    this.#named.clear();
    return { ref: id, label, name, properties, provenance };
  }

  async relationship(
    from: StoredNode,
    type: string,
    to: StoredNode,
  ): Promise<StoredRelationship | undefined> {
    const [edge] = await this.#tx.rows.edgesByIdentity([identityOf(from, type, to)]);
    if (edge === undefined) return undefined;
    this.#edges.set(edgeKey(edge), edge);
    return { properties: edge.props, provenance: edge.provenance };
  }

  async putRelationship({ from, type, to, properties, provenance }: RelationshipToStore): Promise<void> {
    const identity = identityOf(from, type, to);
    const before = this.#edges.get(edgeKey(identity));
    if (before === undefined)
      this.#tx.announce('createEdges', { edges: [{ from: from.name, to: to.name, type }] });
    await this.#tx.rows.putEdges([
      { ...before, ...identity, fromName: from.name, toName: to.name, props: properties, provenance },
    ]);
  }

  async speltLike(label: string, keys: Keys): Promise<readonly SimilarNode[]> {
    const nodes = await this.#tx.rows.nodesSpeltLike(label, keyText(keys), perSpelling);
    return nodes.map((node) => ({ name: node.name, keys: keysOf(node) }));
  }

  /** What a new node may be called, best first; on a graph with a schema, by its key there. */
  async #namesFor(label: string, keys: Keys, properties: Props): Promise<readonly [string, ...string[]]> {
    const source = await this.#tx.rows.schema();
    if (source !== null) {
      const { schemaOf } = await import('../schema/enforce/schema-of.js');
      const { nodeKeyText } = await import('../schema/enforce/key-texts.js');
      const type = schemaOf(source).nodes.get(label);
      const { text } = type === undefined || type.key === null ? {} : nodeKeyText(type, properties);
      if (text !== undefined) return [text];
    }
    const [name, qualified] = [keyText(keys), qualifiedKeyText(keys)];
    return qualified === name ? [name] : [name, qualified];
  }

  #stored(node: Node): StoredNode {
    this.#nodes.set(node.id, node);
    const { id, type, name, props, provenance } = node;
    return { ref: id, label: type, name, properties: props, provenance };
  }
}

function identityOf(from: StoredNode, type: string, to: StoredNode) {
  return { from: Number(from.ref), type, to: Number(to.ref), key: '' };
}

/** The properties a node is known by; of one that another surface wrote, its name. */
function keysOf({ name, props, provenance }: Node): Keys {
  const keys = (provenance?.merge_keys ?? []).flatMap((key): [string, string | number | boolean][] => {
    const value: Json | undefined = Object.hasOwn(props, key) ? props[key] : undefined;
    return value === undefined || value === null || typeof value === 'object' ? [] : [[key, value]];
  });
  return keys.length === 0 ? { name } : Object.fromEntries(keys);
}
