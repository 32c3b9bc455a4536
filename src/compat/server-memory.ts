import { localActor } from '../access/actor.js';
import { ensureConfiguredGraphs, openConfiguredStore } from '../config/open-configured-store.js';
import { resolveSettings, type Settings } from '../config/settings.js';
import { Graph, type Transaction } from '../engine/graph.js';
import { openNodes } from '../engine/read/open-nodes.js';
import { readGraph } from '../engine/read/read-graph.js';
import { searchSubstring } from '../engine/read/search-substring.js';
import { addObservationsStrict } from '../engine/write/add-observations-strict.js';
import { createEdgesWithStubs } from '../engine/write/create-edges-with-stubs.js';
import { createNodesLenient } from '../engine/write/create-nodes-lenient.js';
import { deleteEdges } from '../engine/write/delete-edges.js';
import { deleteNodes } from '../engine/write/delete-nodes.js';
import { deleteObservations } from '../engine/write/delete-observations.js';
import { hiddenRegistry } from '../store/graph-targets.js';
import type { Reader } from '../store/reader.js';
import type { Store } from '../store/store-contract.js';
import { parseArguments } from '../surfaces/tool-arguments.js';
import { LazyResource } from './lazy-resource.js';
import { replaceGraph } from './replace-graph.js';
import {
  deletionsInput,
  entitiesInput,
  entityNamesInput,
  graphInput,
  namesInput,
  observationsInput,
  pathInput,
  queryInput,
  relationsInput,
} from './server-memory-inputs.js';
import {
  type AddedObservations,
  type Entity,
  entitySpec,
  type KnowledgeGraph,
  type NewObservations,
  type ObservationDeletion,
  type Relation,
  relationSpec,
  specEntity,
  specRelation,
  toKnowledgeGraph,
} from './server-memory-shapes.js';

export {
  registerKnowledgeGraphResource,
  registerKnowledgeGraphSubscriptions,
} from './knowledge-graph-resource.js';
export { defaultMemoryPath, ensureMemoryFilePath } from './memory-file-path.js';
export type { AddedObservations, Entity, KnowledgeGraph, NewObservations, ObservationDeletion, Relation };

interface Opened {
  readonly store: Store;
  readonly graph: Graph;
}

/** A knowledge graph in a file: entities, relations and observations, as seed section 3 describes them. */
export class KnowledgeGraphManager {
  readonly #settings: Settings;
  readonly #opened = new LazyResource(() => this.#start());
  readonly #listeners = new Set<() => void>();

  /** The file is opened, and made if need be, by the first call; one that does not end in `.db` holds JSON lines. */
  constructor(memoryFilePath: string) {
    // Without a path the settings would fall back to the data of this user's agents.
    const { memoryFilePath: file } = parseArguments(pathInput, 'KnowledgeGraphManager', { memoryFilePath });
    this.#settings = resolveSettings({ file }, {}, undefined);
  }

  async loadGraph(): Promise<KnowledgeGraph> {
    return toKnowledgeGraph(await this.#read((reader) => readGraph(reader)));
  }

  /** Makes the file hold this graph and nothing else. */
  async saveGraph(graph: KnowledgeGraph): Promise<void> {
    const { entities, relations } = parseArguments(graphInput, 'saveGraph', graph);
    await this.#write('saveGraph', (tx) =>
      replaceGraph(tx, { nodes: entities.map(entitySpec), edges: relations.map(relationSpec) }),
    );
  }

  /** Adds entities whose names are new, and answers those. */
  async createEntities(entities: readonly Entity[]): Promise<Entity[]> {
    const given = parseArguments(entitiesInput, 'createEntities', { entities });
    const { created } = await this.#write('createEntities', (tx) =>
      createNodesLenient(tx, given.entities.map(entitySpec)),
    );
    return created.map(specEntity);
  }

  /** Adds relations that are new, and answers those. */
  async createRelations(relations: readonly Relation[]): Promise<Relation[]> {
    const given = parseArguments(relationsInput, 'createRelations', { relations });
    const created = await this.#write('createRelations', (tx) =>
      createEdgesWithStubs(tx, given.relations.map(relationSpec)),
    );
    return created.map(specRelation);
  }

  /** Adds what each entity does not have yet; throws if an entity is unknown, and then nothing is saved. */
  async addObservations(observations: readonly NewObservations[]): Promise<AddedObservations[]> {
    const given = parseArguments(observationsInput, 'addObservations', { observations });
    const items = given.observations.map(({ entityName, contents }) => ({
      name: entityName,
      texts: contents,
    }));
    const added = await this.#write('addObservations', (tx) => addObservationsStrict(tx, items));
    return added.map(({ name, texts }) => ({ entityName: name, addedObservations: [...texts] }));
  }

  /** Removes entities and every relation that touches them. */
  async deleteEntities(entityNames: readonly string[]): Promise<void> {
    const given = parseArguments(entityNamesInput, 'deleteEntities', { entityNames });
    await this.#write('deleteEntities', (tx) => deleteNodes(tx, given.entityNames));
  }

  /** Removes observations by their exact text; an unknown entity is passed over. */
  async deleteObservations(deletions: readonly ObservationDeletion[]): Promise<void> {
    const given = parseArguments(deletionsInput, 'deleteObservations', { deletions });
    const items = given.deletions.map(({ entityName, observations }) => ({
      name: entityName,
      texts: observations,
    }));
    await this.#write('deleteObservations', (tx) => deleteObservations(tx, items));
  }

  async deleteRelations(relations: readonly Relation[]): Promise<void> {
    const given = parseArguments(relationsInput, 'deleteRelations', { relations });
    await this.#write('deleteRelations', (tx) => deleteEdges(tx, given.relations.map(relationSpec)));
  }

  readGraph(): Promise<KnowledgeGraph> {
    return this.loadGraph();
  }

  /** Entities with the query in their name, type or an observation, case ignored, and the relations at either end. */
  async searchNodes(query: string): Promise<KnowledgeGraph> {
    const given = parseArguments(queryInput, 'searchNodes', { query });
    return toKnowledgeGraph(await this.#read((reader) => searchSubstring(reader, given.query)));
  }

  /** Entities by exact name, and the relations at either end. */
  async openNodes(names: readonly string[]): Promise<KnowledgeGraph> {
    const given = parseArguments(namesInput, 'openNodes', { names });
    return toKnowledgeGraph(await this.#read((reader) => openNodes(reader, given.names)));
  }

  /** Calls `listener` after each write of this manager that changed something; answers how to stop that. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Lets go of the file. Not needed before the process ends; a later call opens it again. */
  async close(): Promise<void> {
    await (await this.#opened.release())?.store.close();
  }

  async #read<T>(work: (reader: Reader) => Promise<T>): Promise<T> {
    return (await this.#opened.get()).graph.read(work);
  }

  async #write<T>(method: string, work: (tx: Transaction) => Promise<T>): Promise<T> {
    const { graph } = await this.#opened.get();
    const { result, commit } = await graph.commit({ actor: localActor().id, tool: method }, work);
    if (commit !== null) for (const listener of this.#listeners) listener();
    return result;
  }

  async #start(): Promise<Opened> {
    const store = await openConfiguredStore(this.#settings.location.value);
    await ensureConfiguredGraphs(store, this.#settings);
    return { store, graph: new Graph(store, this.#settings.graph.value, { registry: hiddenRegistry }) };
  }
}
