import { afterAll, beforeAll } from 'vitest';
import { Graph, type Transaction } from '../../src/engine/graph.js';
import type { Resolution } from '../../src/engine/history/merge/conflict.js';
import { type MergeReport, mergeBranches } from '../../src/engine/history/merge/merge-branches.js';
import { addObservationsStrict } from '../../src/engine/write/add-observations-strict.js';
import { createEdgesWithStubs } from '../../src/engine/write/create-edges-with-stubs.js';
import { createNodesLenient } from '../../src/engine/write/create-nodes-lenient.js';
import { deleteEdges } from '../../src/engine/write/delete-edges.js';
import { deleteNodes } from '../../src/engine/write/delete-nodes.js';
import { updateNode } from '../../src/engine/write/edit/update-node.js';
import type { Author, Commit } from '../../src/model/commit.js';
import { defaultGraph, mainBranch } from '../../src/model/graph-record.js';
import type { Json } from '../../src/model/json.js';
import type { Node } from '../../src/model/node.js';
import type { Reader } from '../../src/store/reader.js';
import { openInMemorySqliteStore } from '../../src/store/sqlite/sqlite-store.js';
import type { Store } from '../../src/store/store-contract.js';
import { type Scratch, type StoreKind, scratchStore } from '../helpers/stores.js';

export const author = { actor: 'ann', tool: 'test' };

/** A graph with branches, written to as the surfaces do, and with the properties they cannot set yet. */
export class Repository {
  readonly graph: string;
  readonly #scratch: Scratch;
  #graphs = 0;

  private constructor(scratch: Scratch, graph: string) {
    this.#scratch = scratch;
    this.graph = graph;
  }

  /** A graph in memory, for thousands of short histories. */
  static async inMemory(): Promise<Repository> {
    const store = await openInMemorySqliteStore();
    await store.createGraph(defaultGraph);
    const scratch = { path: ':memory:', store, reopen: async () => store, dispose: () => store.close() };
    return new Repository(scratch, defaultGraph);
  }

  static async on(kind: StoreKind): Promise<Repository> {
    return new Repository(await scratchStore(kind), defaultGraph);
  }

  /** For a suite: makes empty graphs in one store, which is removed at its end. */
  static forSuite(kind: StoreKind): () => Promise<Repository> {
    let first: Repository | undefined;
    beforeAll(async () => {
      first = await Repository.on(kind);
    });
    afterAll(() => first?.dispose());
    return async () => {
      if (first === undefined) throw new Error('The suite has not begun.');
      return first.another();
    };
  }

  /** An empty graph in the same store, which is quicker to have than a store. */
  async another(): Promise<Repository> {
    const graph = `graph ${++this.#graphs}`;
    await this.store.createGraph(graph);
    return new Repository(this.#scratch, graph);
  }

  get store(): Store {
    return this.#scratch.store;
  }

  get path(): string {
    return this.#scratch.path;
  }

  dispose(): Promise<void> {
    return this.#scratch.dispose();
  }

  async fork(name: string, from?: string): Promise<void> {
    await this.store.createBranch(this.graph, name, from);
  }

  /** Runs a write of the engine on a branch; answers its commit. */
  async write(
    branch: string,
    work: (tx: Transaction) => Promise<unknown>,
    by: Author = author,
  ): Promise<Commit | undefined> {
    const graph = new Graph(this.store, this.graph, { branch });
    let made: Commit | undefined;
    graph.events.onCommit((commit) => {
      made = commit;
    });
    await graph.write(by, work);
    return made;
  }

  create(branch: string, name: string, observations: readonly string[] = [], type = 'thing') {
    return this.write(branch, (tx) => createNodesLenient(tx, [{ name, type, observations }]));
  }

  observe(branch: string, name: string, ...texts: string[]) {
    return this.write(branch, (tx) => addObservationsStrict(tx, [{ name, texts }]));
  }

  remove(branch: string, ...names: string[]) {
    return this.write(branch, (tx) => deleteNodes(tx, names));
  }

  relate(branch: string, ...edges: string[]) {
    return this.write(branch, (tx) => createEdgesWithStubs(tx, edges.map(edgeSpec)));
  }

  unrelate(branch: string, ...edges: string[]) {
    return this.write(branch, (tx) => deleteEdges(tx, edges.map(edgeSpec)));
  }

  /** Changes a node's own row. */
  change(branch: string, name: string, change: (node: Node) => Partial<Node>) {
    return this.write(branch, async ({ rows }) => {
      const node = await realNode(rows, name);
      await rows.putNodes([{ ...node, ...change(node) }]);
    });
  }

  /** Gives a node another type, as its identity allows: the pair must not mean another node. */
  retype(branch: string, name: string, type: string) {
    return this.write(branch, async ({ rows }) => {
      const node = (await rows.nodesNamed([name])).find(({ stub }) => !stub);
      const taken = (await rows.identitiesNamed([name])).find((identity) => identity.type === type);
      if (node === undefined || (taken !== undefined && taken.node !== node.id)) return;
      if (taken === undefined) await rows.addIdentities([{ type, name, node: node.id }]);
      await rows.putNodes([{ ...node, type }]);
    });
  }

  rename(branch: string, name: string, to: string) {
    return this.write(branch, async (tx) => updateNode(tx, await realNode(tx.rows, name), { name: to }));
  }

  set(branch: string, name: string, key: string, value: Json | undefined) {
    return this.change(branch, name, ({ props }) => {
      const { [key]: _, ...others } = props;
      return { props: value === undefined ? others : { ...others, [key]: value } };
    });
  }

  weigh(branch: string, edge: string, weight: number) {
    return this.write(branch, async ({ rows }) => {
      const found = (await rows.edges()).filter((candidate) => edgeText(candidate) === edge);
      await rows.putEdges(found.map((candidate) => ({ ...candidate, weight })));
    });
  }

  replaceObservation(branch: string, name: string, ordinal: number, text: string | undefined) {
    return this.write(branch, async ({ rows }) => {
      const node = await realNode(rows, name);
      if (text === undefined) await rows.removeObservations([{ node: node.id, ordinal }]);
      else await rows.putObservations([{ node: node.id, ordinal, text }]);
    });
  }

  merge(
    source: string,
    target = mainBranch,
    options: { resolutions?: readonly Resolution[]; take?: readonly string[]; dryRun?: boolean } = {},
  ): Promise<MergeReport> {
    return mergeBranches(this.store, { graph: this.graph, source, target, author, ...options });
  }

  /** Everything a state says, by name. */
  look(ref: { branch?: string; commit?: string } = {}): Promise<Picture> {
    return this.store.read({ graph: this.graph, ...ref }, picture);
  }

  /** The state in short: `a(color=red) b[one,two] | a knows b`. */
  async brief(branch = mainBranch): Promise<string> {
    const { nodes, edges } = await this.look({ branch });
    const names = nodes.map(({ name, props, observations }) => {
      const values = Object.entries(props).map(([key, value]) => `${key}=${JSON.stringify(value)}`);
      const texts = observations.map(({ text }) => text).sort();
      return `${name}${values.length === 0 ? '' : `(${values})`}${texts.length === 0 ? '' : `[${texts}]`}`;
    });
    return `${names.join(' ')} | ${edges.map(({ edge }) => edge).join(', ')}`;
  }

  async head(branch = mainBranch): Promise<string> {
    const found = (await this.store.branches(this.graph)).find(({ name }) => name === branch);
    return found?.headCommit ?? '';
  }
}

/** A state without the numbers that stores give out, times and order. */
export interface Picture {
  readonly nodes: readonly {
    readonly type: string;
    readonly name: string;
    readonly stub: boolean;
    readonly summary: string | null;
    readonly tags: readonly string[];
    readonly props: Readonly<Record<string, Json>>;
    readonly observations: readonly { readonly ordinal: number; readonly text: string }[];
  }[];
  readonly edges: readonly { readonly edge: string; readonly weight: number; readonly props: unknown }[];
}

async function picture(reader: Reader): Promise<Picture> {
  const nodes = [...(await reader.nodes()), ...(await reader.stubs())];
  const observations = new Map<number, { ordinal: number; text: string }[]>();
  for (const { node, ordinal, text } of await reader.observationsOf(nodes.map(({ id }) => id))) {
    observations.set(node, [...(observations.get(node) ?? []), { ordinal, text }]);
  }
  const byText = <T>(list: T[], text: (item: T) => string) =>
    list.sort((a, b) => (text(a) < text(b) ? -1 : 1));
  return {
    nodes: byText(
      nodes.map(({ id, type, name, stub, summary, tags, props }) => ({
        ...{ type, name, stub, summary, tags, props },
        observations: observations.get(id) ?? [],
      })),
      ({ name, type }) => JSON.stringify([name, type]),
    ),
    edges: byText(
      (await reader.edges()).map((edge) => ({
        edge: edgeText(edge),
        weight: edge.weight,
        props: edge.props,
      })),
      ({ edge }) => edge,
    ),
  };
}

async function realNode(reader: Reader, name: string): Promise<Node> {
  const node = (await reader.nodesNamed([name])).find(({ stub }) => !stub);
  if (node === undefined) throw new Error(`There is no ${name}.`);
  return node;
}

function edgeText({ fromName, type, toName }: { fromName: string; type: string; toName: string }): string {
  return `${fromName} ${type} ${toName}`;
}

function edgeSpec(text: string): { from: string; to: string; type: string } {
  const [from = '', type = '', to = ''] = text.split(' ');
  return { from, to, type };
}
