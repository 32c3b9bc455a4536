import { isDeepStrictEqual } from 'node:util';
import { Graph } from '../../../engine/graph.js';
import type { Node, NodeId } from '../../../model/node.js';
import { type EmbeddedProperty, embeddedPropertyName } from '../../../schema/graph/embedded-properties.js';
import type { Reader } from '../../../store/reader.js';
import type { Store } from '../../../store/store-contract.js';
import type { Embedder } from '../../embedders/embedder.js';
import { embedAuthor, embedAuthorOf } from './fill-vectors.js';
import { nodesWithVector } from './find-vector-tasks.js';
import { parseEmbeddedProperties } from './parse-embedded-properties.js';

interface DropForeignVectorsOptions {
  readonly store: Store;
  readonly graph: string;
  readonly embedder: Embedder;
  /** Those that the embedder can fill. */
  readonly properties: readonly EmbeddedProperty[];
  readonly stopped?: (() => boolean) | undefined;
}

/**
 * Removes vectors that Trellis made with another model, on all branches, so that they are made again: vectors of two
 * models cannot be compared. Vectors that somebody else wrote stay. Records the model, so that each property is examined
 * once.
 */
export async function dropForeignVectors(work: DropForeignVectorsOptions): Promise<void> {
  const { store, graph: name, embedder, stopped = () => false } = work;
  const known = await store.vectors?.propertyModels(name);
  const names = new Set(
    work.properties.map(embeddedPropertyName).filter((property) => known?.get(property) !== embedder.id),
  );
  if (names.size === 0) return;
  for (const branch of await store.branches(name)) {
    const graph = new Graph(store, name, { branch: branch.name });
    const declared = await parseEmbeddedProperties(await graph.read((reader) => reader.schema()));
    for (const property of declared.filter((one) => names.has(embeddedPropertyName(one)))) {
      for await (const nodes of nodesWithVector(graph, property)) {
        if (stopped()) return;
        await dropFromNodes(graph, embedder, property.property, nodes);
      }
    }
  }
  for (const property of names) await store.vectors?.setPropertyModel(name, property, embedder.id);
}

interface DropRestoredVectorsOptions {
  readonly graph: Graph;
  readonly embedder: Embedder;
  readonly properties: readonly EmbeddedProperty[];
  /** Those written since. */
  readonly nodes: readonly NodeId[];
  /** A commit after which no vector was of another model. */
  readonly since: string;
}

const batchSize = 500;

/** Removes vectors of another model that came back with an older state of a node, such as by an undo. */
export async function dropRestoredVectors(work: DropRestoredVectorsOptions): Promise<void> {
  const { graph, embedder, nodes, since } = work;
  for (let at = 0; at < nodes.length; at += batchSize) {
    const some = nodes.slice(at, at + batchSize);
    for (const { property } of work.properties) {
      const changed = await graph.read((reader) => vectorsOfOthers(reader, property, some, since));
      await dropFromNodes(graph, embedder, property, changed);
    }
  }
}

/** Nodes whose vector is another one than then, unless we wrote them last. */
async function vectorsOfOthers(
  reader: Reader,
  property: string,
  ids: readonly NodeId[],
  since: string,
): Promise<Node[]> {
  const current = (await reader.nodesById(ids)).filter(({ props }) => props[property] !== undefined);
  if (current.length === 0) return [];
  const present = current.map(({ id }) => id);
  const touches = await reader.lastTouched(present);
  const before = new Map((await (await reader.at(since)).nodesById(present)).map((node) => [node.id, node]));
  return current.filter(
    ({ id, props }) =>
      touches.get(id)?.actor !== embedAuthor.actor &&
      !isDeepStrictEqual(before.get(id)?.props[property], props[property]),
  );
}

async function dropFromNodes(
  graph: Graph,
  embedder: Embedder,
  property: string,
  nodes: readonly Node[],
): Promise<void> {
  const foreign = await graph.read(async (reader) => {
    const found: Node[] = [];
    for (const node of nodes) if (await isForeign(reader, node, property, embedder)) found.push(node);
    return found;
  });
  if (foreign.length === 0) return;
  const before = new Map(foreign.map(({ id, props }) => [id, props[property]]));
  await graph.write(embedAuthorOf(embedder), async ({ rows }) => {
    const current = await rows.nodesById([...before.keys()]);
    await rows.putNodes(
      current
        .filter(({ id, props }) => isDeepStrictEqual(props[property], before.get(id)))
        .map((node) => ({ ...node, props: without(node.props, property) })),
    );
  });
}

function without(props: Node['props'], property: string): Node['props'] {
  return Object.fromEntries(Object.entries(props).filter(([name]) => name !== property));
}

/** Versions of a node that are read first; most have fewer. */
const firstVersions = 50;

/** Whether the commit that first wrote the vector is ours, and names another model or none. */
async function isForeign(reader: Reader, node: Node, property: string, { id }: Embedder): Promise<boolean> {
  const vector = node.props[property];
  for (let limit = firstVersions; ; limit *= 8) {
    const { nodes, isComplete } = await reader.versionsOf({ node: node.id, edges: [], limit });
    if (!isComplete) continue;
    const same = nodes.filter(({ value }) => isDeepStrictEqual(value.props[property], vector));
    const first = Math.min(...same.map(({ born }) => born));
    const [commit] = same.length === 0 ? [] : await reader.commitsAt([first]);
    return commit?.actor === embedAuthor.actor && commit.tool === embedAuthor.tool && commit.message !== id;
  }
}
