import { join } from 'node:path';
import { localActor } from '../access/actor.js';
import { ensureConfiguredGraphs, openConfiguredStore } from '../config/open-configured-store.js';
import { dataDirectory, environmentVariable, resolvePath } from '../config/paths.js';
import { resolveSettings, type Settings } from '../config/settings.js';
import { Graph, type Transaction } from '../engine/graph.js';
import { openNodes } from '../engine/read/open-nodes.js';
import { readGraph } from '../engine/read/read-graph.js';
import { searchSubstring } from '../engine/read/search-substring.js';
import type { Subgraph } from '../engine/specs.js';
import { addObservationsStrict } from '../engine/write/add-observations-strict.js';
import { createEdgesWithStubs } from '../engine/write/create-edges-with-stubs.js';
import { createNodesLenient } from '../engine/write/create-nodes-lenient.js';
import { deleteEdges } from '../engine/write/delete-edges.js';
import { deleteNodes } from '../engine/write/delete-nodes.js';
import { deleteObservations } from '../engine/write/delete-observations.js';
import { hiddenRegistry } from '../store/graph-targets.js';
import { renameLegacyFile } from '../store/jsonl/legacy-file.js';
import type { Reader } from '../store/reader.js';
import { warnOnStderr } from '../store/store-options.js';
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
export type { AddedObservations, Entity, KnowledgeGraph, NewObservations, ObservationDeletion, Relation };

export const defaultMemoryPath: string = join(dataDirectory(), 'memory.jsonl');

/** The path of the memory file: `MEMORY_FILE_PATH` or the default. Renames a `memory.json` of older versions to it. */
export async function ensureMemoryFilePath(): Promise<string> {
  const configured = environmentVariable(process.env, 'MEMORY_FILE_PATH');
  const path = configured === undefined ? defaultMemoryPath : resolvePath(configured);
  await renameLegacyFile(path, warnOnStderr);
  return path;
}

/** A knowledge graph in a file: entities, relations and observations. */
export class KnowledgeGraphManager {
  readonly #settings: Settings;
  readonly #opened = new LazyResource(() => this.#start());
  readonly #listeners = new Set<() => void>();

  /** The first call opens or creates the file: JSON lines, unless the path ends in `.db`. */
  constructor(memoryFilePath: string) {
    // Without a path the settings would fall back to the data of this user's agents.
    const { memoryFilePath: file } = parseArguments(pathInput, 'KnowledgeGraphManager', { memoryFilePath });
    this.#settings = resolveSettings({ file }, {}, undefined);
  }

  loadGraph(): Promise<KnowledgeGraph> {
    return this.#read((reader) => readGraph(reader));
  }

  /** Makes the file hold this graph and nothing else. */
  async saveGraph(graph: KnowledgeGraph): Promise<void> {
    const { entities, relations } = parseArguments(graphInput, 'saveGraph', graph);
    await this.#write('saveGraph', (tx) =>
      replaceGraph(tx, { nodes: entities.map(entitySpec), edges: relations.map(relationSpec) }),
    );
  }

  /** Adds and returns the entities whose names are new. */
  async createEntities(entities: readonly Entity[]): Promise<Entity[]> {
    const given = parseArguments(entitiesInput, 'createEntities', { entities });
    const { created } = await this.#write('createEntities', (tx) =>
      createNodesLenient(tx, given.entities.map(entitySpec)),
    );
    return created.map(specEntity);
  }

  /** Adds and returns the relations that are new. */
  async createRelations(relations: readonly Relation[]): Promise<Relation[]> {
    const given = parseArguments(relationsInput, 'createRelations', { relations });
    const created = await this.#write('createRelations', (tx) =>
      createEdgesWithStubs(tx, given.relations.map(relationSpec)),
    );
    return created.map(specRelation);
  }

  /** Adds what each entity does not have yet; throws and saves nothing if an entity is unknown. */
  async addObservations(observations: readonly NewObservations[]): Promise<AddedObservations[]> {
    const given = parseArguments(observationsInput, 'addObservations', { observations });
    const items = given.observations.map((item) => ({ name: item.entityName, texts: item.contents }));
    const added = await this.#write('addObservations', (tx) => addObservationsStrict(tx, items));
    return added.map(({ name, texts }) => ({ entityName: name, addedObservations: [...texts] }));
  }

  /** Removes entities and their relations. */
  async deleteEntities(entityNames: readonly string[]): Promise<void> {
    const given = parseArguments(entityNamesInput, 'deleteEntities', { entityNames });
    await this.#write('deleteEntities', (tx) => deleteNodes(tx, given.entityNames));
  }

  /** Removes observations by exact text; skips unknown entities. */
  async deleteObservations(deletions: readonly ObservationDeletion[]): Promise<void> {
    const given = parseArguments(deletionsInput, 'deleteObservations', { deletions });
    const items = given.deletions.map((item) => ({ name: item.entityName, texts: item.observations }));
    await this.#write('deleteObservations', (tx) => deleteObservations(tx, items));
  }

  async deleteRelations(relations: readonly Relation[]): Promise<void> {
    const given = parseArguments(relationsInput, 'deleteRelations', { relations });
    await this.#write('deleteRelations', (tx) => deleteEdges(tx, given.relations.map(relationSpec)));
  }

  readGraph(): Promise<KnowledgeGraph> {
    return this.loadGraph();
  }

  /** Entities with the query in their name, type or an observation, ignoring case, and their relations. */
  async searchNodes(query: string): Promise<KnowledgeGraph> {
    const given = parseArguments(queryInput, 'searchNodes', { query });
    return this.#read((reader) => searchSubstring(reader, given.query));
  }

  /** Entities by exact name, and their relations. */
  async openNodes(names: readonly string[]): Promise<KnowledgeGraph> {
    const given = parseArguments(namesInput, 'openNodes', { names });
    return this.#read((reader) => openNodes(reader, given.names));
  }

  /** Calls `listener` after each write of this manager that changed something. Returns a function that removes it. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Releases the file. Not needed before the process ends; a later call opens it again. */
  async close(): Promise<void> {
    await (await this.#opened.release())?.store.close();
  }

  async #read(work: (reader: Reader) => Promise<Subgraph>): Promise<KnowledgeGraph> {
    return toKnowledgeGraph(await (await this.#opened.get()).graph.read(work));
  }

  async #write<T>(method: string, work: (tx: Transaction) => Promise<T>): Promise<T> {
    const { graph } = await this.#opened.get();
    const { result, commit } = await graph.commit({ actor: localActor().id, tool: method }, work);
    if (commit !== null) for (const listener of this.#listeners) listener();
    return result;
  }

  async #start() {
    const store = await openConfiguredStore(this.#settings.location.value);
    await ensureConfiguredGraphs(store, this.#settings);
    return { store, graph: new Graph(store, this.#settings.graph.value, { registry: hiddenRegistry }) };
  }
}
