import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { Graph } from '../../src/engine/graph.js';
import { readGraph } from '../../src/engine/read/read-graph.js';
import type { EdgeSpec, NodeSpec } from '../../src/engine/specs.js';
import { addObservationsStrict } from '../../src/engine/write/add-observations-strict.js';
import { createEdgesWithStubs } from '../../src/engine/write/create-edges-with-stubs.js';
import { createNodesLenient } from '../../src/engine/write/create-nodes-lenient.js';
import { deleteEdges } from '../../src/engine/write/delete-edges.js';
import { deleteNodes } from '../../src/engine/write/delete-nodes.js';
import { deleteObservations } from '../../src/engine/write/delete-observations.js';
import { type EdgeUpdateSpec, updateEdges } from '../../src/engine/write/update-edges.js';
import { type NodeUpdateSpec, updateNodes } from '../../src/engine/write/update-nodes.js';
import { defaultGraph } from '../../src/model/graph-record.js';
import { type JsonlStore, openJsonlStore } from '../../src/store/jsonl/jsonl-store.js';
import type { StoreOptions } from '../../src/store/store-options.js';

export const entity = (name: string, ...observations: string[]) =>
  JSON.stringify({ type: 'entity', name, entityType: 'thing', observations });
export const relation = (from: string, to: string, relationType = 'knows') =>
  JSON.stringify({ type: 'relation', from, to, relationType });

const author = { actor: 'tester', tool: 'test' };

/** A store with the engine's use cases in short form, and what it warned of. */
export interface OpenFile {
  readonly store: JsonlStore;
  readonly warnings: string[];
  create(...nodes: (string | Partial<NodeSpec>)[]): Promise<unknown>;
  relate(from: string, to: string, type?: string): Promise<unknown>;
  observe(name: string, ...texts: string[]): Promise<unknown>;
  forget(name: string, ...texts: string[]): Promise<unknown>;
  remove(...names: string[]): Promise<unknown>;
  unrelate(from: string, to: string, type?: string): Promise<unknown>;
  update(...updates: NodeUpdateSpec[]): Promise<unknown>;
  move(...updates: EdgeUpdateSpec[]): Promise<unknown>;
  /** Everything, as `name: fact, fact` and `from -type-> to`. */
  all(): Promise<string[]>;
  /** Everything with its type and weight, and the names that only edges mention. */
  details(): Promise<unknown>;
}

export async function openFile(path: string, options: StoreOptions = {}): Promise<OpenFile> {
  const warnings: string[] = [];
  const store = await openJsonlStore(path, { warn: (message) => warnings.push(message), ...options });
  onTestFinished(() => store.close());
  const graph = new Graph(store, defaultGraph);
  const edge = (from: string, to: string, type = 'knows'): EdgeSpec => ({ from, to, type });
  return {
    store,
    warnings,
    create: (...nodes) =>
      graph.write(author, (tx) =>
        createNodesLenient(
          tx,
          nodes.map((node) => ({
            ...{ name: '', type: 'thing', observations: [] },
            ...(typeof node === 'string' ? { name: node } : node),
          })),
        ),
      ),
    relate: (from, to, type) => graph.write(author, (tx) => createEdgesWithStubs(tx, [edge(from, to, type)])),
    observe: (name, ...texts) => graph.write(author, (tx) => addObservationsStrict(tx, [{ name, texts }])),
    forget: (name, ...texts) => graph.write(author, (tx) => deleteObservations(tx, [{ name, texts }])),
    remove: (...names) => graph.write(author, (tx) => deleteNodes(tx, names)),
    unrelate: (from, to, type) => graph.write(author, (tx) => deleteEdges(tx, [edge(from, to, type)])),
    update: (...updates) => graph.write(author, (tx) => updateNodes(tx, updates)),
    move: (...updates) => graph.write(author, (tx) => updateEdges(tx, updates)),
    all: () =>
      graph.read(async (reader) => {
        const { nodes, edges } = await readGraph(reader);
        return [
          ...nodes.map(({ node, facts }) => `${node.name}: ${facts.join(', ')}`),
          ...edges.map(({ fromName, type, toName }) => `${fromName} -${type}-> ${toName}`),
        ];
      }),
    details: () =>
      graph.read(async (reader) => {
        const { nodes, edges } = await readGraph(reader);
        return {
          nodes: nodes.map(({ node, facts }) => [node.name, node.type, ...facts]),
          edges: edges.map(({ fromName, type, toName, weight }) => [fromName, type, toName, weight]),
          stubs: (await reader.stubs()).map((stub) => stub.name).sort(),
          counts: await reader.counts(),
        };
      }),
  };
}

/** A folder of its own for one test. */
export async function scratchFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'trellis-jsonl-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** The path of a file with these lines, or of one that does not exist yet. */
export async function scratchFile(...lines: string[]): Promise<string> {
  const path = join(await scratchFolder(), 'graph.jsonl');
  if (lines.length > 0) await writeFile(path, lines.map((line) => `${line}\n`).join(''));
  return path;
}

export async function linesOf(path: string): Promise<string[]> {
  const content = await readFile(path, 'utf8');
  return content === '' ? [] : content.replace(/\n$/, '').split('\n');
}
