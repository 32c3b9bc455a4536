import type { Transaction, WritableGraph } from '../engine/graph.js';
import { createKeyedNode, type NameLookup } from '../engine/write/create-keyed-node.js';
import { NodesByName } from '../engine/write/nodes-by-name.js';
import { type Edge, edgeKey } from '../model/edge.js';
import { TrellisError } from '../model/error.js';
import type { Json } from '../model/json.js';
import { keyText, qualifiedKeyText } from '../model/key-text.js';
import type { Node } from '../model/node.js';
import { compareText } from '../model/order.js';
import { findStampCollision } from '../model/provenance.js';
import type { NodeType } from '../schema/graph/graph-schema.js';
import { RejectedError } from './check/rejected-error.js';
import { engineSources } from './derivation/engine-sources.js';
import type {
  GateTarget,
  GateTransaction,
  Keys,
  NodeToStore,
  RelationshipToStore,
  ReviewBranches,
  SimilarNode,
  SourceLabel,
  StoredNode,
  StoredRelationship,
} from './gate-target.js';
import { type BranchedGraph, EngineReviewBranches } from './review/review-branches.js';

/** Enough to find a duplicate, few enough to be cheap. */
const maxSimilarNames = 10;

export class EngineTarget implements GateTarget {
  readonly branches: ReviewBranches | undefined;
  readonly #graph: WritableGraph;

  /** With `branched`, writes can be held on other branches. */
  constructor(graph: WritableGraph, branched?: BranchedGraph) {
    this.#graph = graph;
    this.branches = branched && new EngineReviewBranches(branched, (tx) => new EngineTransaction(tx));
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
  /** Nodes by name, cached until a node is created. */
  #named: NameLookup | undefined;
  #schema: Promise<string | null> | undefined;

  constructor(tx: Transaction) {
    this.#tx = tx;
    this.now = tx.rows.now;
  }

  async nodesWith(label: string, keys: Keys): Promise<readonly StoredNode[]> {
    const name = nameFromKeys(keys);
    const [matching, named, type] = await Promise.all([
      this.#tx.rows.nodesMatching(label, keys),
      this.#tx.rows.nodesNamed([name]),
      this.#typeOf(label),
    ]);
    this.#named = { name, nodes: NodesByName.from(named) };
    const meant =
      matching.length === 0 && isNameKey(keys, type) ? nodesWithoutKeys(named, label, keys) : matching;
    return meant.map((node) => this.#stored(node));
  }

  async nameFor(node: Pick<NodeToStore, 'label' | 'keys' | 'properties'>): Promise<string> {
    return (await this.#typedName(node)) ?? nameFromKeys(node.keys);
  }

  async putNode({ replaces, label, keys, properties, provenance }: NodeToStore): Promise<StoredNode> {
    await this.#refuseNamesake(label, { properties, provenance });
    if (replaces !== undefined) {
      const node = this.#nodes.get(replaces.ref);
      if (node === undefined)
        throw new TrellisError('INTERNAL', `The gate does not know node ${replaces.ref}.`);
      await this.#tx.rows.putNodes([{ ...node, props: properties, provenance }]);
      return { ...replaces, properties, provenance };
    }
    const typed = await this.#typedName({ label, keys, properties });
    const names = typed === undefined ? candidateNames(keys) : [typed];
    const stub = isNameKey(keys, await this.#typeOf(label)) ? 'claimed' : 'avoided';
    const { id, name } = await createKeyedNode(
      this.#tx,
      { type: label, names, props: properties, provenance, stub },
      this.#named,
    );
    this.#named = undefined;
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
    await this.#refuseNamesake(type, { properties, provenance });
    const identity = identityOf(from, type, to);
    const before = this.#edges.get(edgeKey(identity));
    if (before === undefined)
      this.#tx.announce('createEdges', { edges: [{ from: from.name, to: to.name, type }] });
    await this.#tx.rows.putEdges([
      { ...before, ...identity, fromName: from.name, toName: to.name, props: properties, provenance },
    ]);
  }

  async speltLike(label: string, name: string): Promise<() => readonly SimilarNode[]> {
    const nodes = await this.#tx.rows.nodesSpeltLike(label, name, maxSimilarNames);
    return () => nodes.map((node) => ({ name: node.name, keys: keysOf(node) }));
  }

  findSources(references: readonly string[], labels: readonly SourceLabel[]) {
    return engineSources(this.#tx.rows, references, labels);
  }

  /** The name that the key of the graph schema gives a node; undefined if it declares none. */
  async #typedName({
    label,
    properties,
  }: Pick<NodeToStore, 'label' | 'keys' | 'properties'>): Promise<string | undefined> {
    const type = await this.#typeOf(label);
    if (type === undefined || type.key === null) return undefined;
    const { nodeKeyFromProps } = await import('../schema/enforce/key-from-props.js');
    return nodeKeyFromProps(type, properties).text;
  }

  /** Another surface may have set a property that the stamp would hide. */
  async #refuseNamesake(
    type: string,
    { properties, provenance }: Pick<NodeToStore, 'properties' | 'provenance'>,
  ): Promise<void> {
    const field = findStampCollision(properties, provenance);
    if (field === undefined || (await this.#schemaText()) !== null) return;
    throw new RejectedError(
      'SCHEMA_PROTECTED_FIELD',
      `This ${type} has a property "${field}", which the gate's stamp would hide.`,
      'Nothing was written. Rename or remove that property, or apply a graph schema that declares it.',
      { fields: [{ argument: 'stored', field }] },
    );
  }

  #schemaText(): Promise<string | null> {
    this.#schema ??= this.#tx.rows.schema();
    return this.#schema;
  }

  async #typeOf(label: string): Promise<NodeType | undefined> {
    const source = await this.#schemaText();
    if (source === null) return undefined;
    const { cachedGraphSchema } = await import('../schema/enforce/graph-schema-cache.js');
    return cachedGraphSchema(source).nodes.get(label);
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

/** The properties that identify a node; its name, if another surface wrote it. */
function keysOf({ name, props, provenance }: Node): Keys {
  const keys = (provenance?.merge_keys ?? []).flatMap((key): [string, string | number | boolean][] => {
    const value: Json | undefined = Object.hasOwn(props, key) ? props[key] : undefined;
    return value === undefined || value === null || typeof value === 'object' ? [] : [[key, value]];
  });
  return keys.length === 0 ? { name } : Object.fromEntries(keys);
}

/** The name where no schema declares a key: keys are unordered, so sort them. */
function nameFromKeys(keys: Keys): string {
  return keyText(Object.keys(keys).sort(compareText), keys);
}

/** Best first. */
function* candidateNames(keys: Keys): Iterable<string> {
  const qualified = qualifiedKeyText(Object.keys(keys), keys);
  yield nameFromKeys(keys);
  yield qualified;
  for (let count = 2; count <= maxNamesakes; count++) yield `${qualified} (${count})`;
}

const maxNamesakes = 100;

/** Then the key also matches a node of that name that has no keys, because it was written elsewhere. */
function isNameKey(keys: Keys, type: NodeType | undefined): boolean {
  const [[key, value] = [], ...others] = Object.entries(keys);
  if (key === undefined || others.length > 0 || typeof value !== 'string') return false;
  return key === 'name' || (type?.key?.length === 1 && type.key[0] === key);
}

/** Nodes of this name without keys, and without another value for this property. */
function nodesWithoutKeys(named: readonly Node[], label: string, keys: Keys): readonly Node[] {
  return named.filter(
    ({ type, stub, props, provenance }) =>
      type === label &&
      !stub &&
      (provenance?.merge_keys ?? []).length === 0 &&
      Object.keys(keys).every((key) => !Object.hasOwn(props, key)),
  );
}
