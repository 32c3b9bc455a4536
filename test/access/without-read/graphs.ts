import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Action, allowAll, atLeastOne, type PermissionCheck } from '../../../src/access/permission.js';
import { Graph } from '../../../src/engine/graph.js';
import type { TrellisError } from '../../../src/model/error.js';
import { applyGraphSchema } from '../../../src/schema/apply/apply-graph-schema.js';
import type { Store } from '../../../src/store/store-contract.js';
import { callTool, runTool } from '../../../src/surfaces/dispatch.js';
import type { RequestContext } from '../../../src/surfaces/request-context.js';
import type { Surface, SurfaceSettings } from '../../../src/surfaces/surface.js';
import { openSurface, visibleTools } from '../../../src/surfaces/surface-registry.js';
import { type Scratch, type StoreKind, scratchFolder, scratchStore } from '../../helpers/stores.js';
import { requestContextOn } from '../../helpers/surfaces.js';
import { storeQueries } from '../../stored/kitchen.js';

/** What no answer may hold: every name, text and number below that no call gives has this in it. */
export const secret = /confidential|0\.8765|0\.93825/i;

/** May do these things everywhere, and read these branches. */
export function mayOf(rights: readonly Action[], readable: readonly string[]): PermissionCheck {
  return (permissions) =>
    permissions.every(({ action, branch = 'main' }) => {
      if (rights.includes(action)) return true;
      return action === 'read' && (branch === atLeastOne ? readable.length > 0 : readable.includes(branch));
    });
}

const schema = `node Person { email: String @key  salary: I32?  badge: String? @unique  floor: I32? }
node Team { name: String @key }
node Confidential { name: String @key }
edge Leads: Person -> Team @card(0..1)
`;

const hire = `query hire($email: String, $badge: String) { insert Person { email: $email, badge: $badge } }`;
const pay = `query confidential_pay() { match { $p: Person } return { $p.salary as salary } }`;

const gate = `nodes:
  - label: Person
    property_types: { age: integer, email: string }
relationships:
  - { type: KNOWS, from_labels: [Person], to_labels: [Person] }
`;

const rows = [
  '{"type":"Person","data":{"email":"ann@x","salary":5,"badge":"7","floor":3}}',
  '{"type":"Person","data":{"email":"confidential@x","salary":5,"badge":"8","floor":3}}',
  '{"type":"Team","data":{"name":"core"}}',
  '{"type":"Confidential","data":{"name":"core"}}',
  '{"edge":"Leads","from":"ann@x","to":"core","data":{}}',
].join('\n');

/** Graphs that hold secrets, and every surface on them. */
export class Graphs {
  readonly #scratch: Scratch;
  readonly #folder: string;
  readonly #settings: SurfaceSettings;
  readonly #surfaces = new Map<string, Promise<Surface>>();

  private constructor(scratch: Scratch, folder: string, settings: SurfaceSettings) {
    this.#scratch = scratch;
    this.#folder = folder;
    this.#settings = settings;
  }

  static async open(kind: StoreKind): Promise<Graphs> {
    const scratch = await scratchStore(kind);
    const folder = await scratchFolder();
    await writeFile(join(folder, 'gate.yaml'), gate);
    const graphs = new Graphs(scratch, folder, {
      gate: { schemaFile: join(folder, 'gate.yaml') },
      schemas: fileURLToPath(new URL('../../mesh/schemas', import.meta.url)),
      queries: await storeQueries(folder, { hire, confidential_pay: pay }),
      embedding: { provider: 'none' },
      allowAdhoc: true,
    });
    await graphs.#fill();
    return graphs;
  }

  get #store(): Store {
    return this.#scratch.store;
  }

  surface(name: string, graph: string): Promise<Surface> {
    const key = `${graph} ${name}`;
    const queries = graph === 'typed' ? {} : { queries: [] };
    const opening =
      this.#surfaces.get(key) ??
      openSurface(name, {
        store: this.#store,
        graph: new Graph(this.#store, graph),
        settings: { ...this.#settings, ...queries },
        warn: () => {},
      });
    this.#surfaces.set(key, opening);
    return opening;
  }

  async context(surface: string, graph: string, may: PermissionCheck): Promise<RequestContext> {
    return { ...requestContextOn(await this.surface(surface, graph), new Graph(this.#store, graph)), may };
  }

  /** All that a call answers, over MCP and as plain HTTP would have it. */
  async answer(
    surface: string,
    graph: string,
    tool: string,
    args: object,
    may: PermissionCheck,
  ): Promise<string> {
    const context = await this.context(surface, graph, may);
    const found = visibleTools(context).some(({ name }) => name === tool);
    const answered = found
      ? await callTool(context, tool, args)
      : await runTool(context, tool, args).catch((error: TrellisError) => ({
          ...{ code: error.code, message: error.message, hint: error.hint, details: error.details },
        }));
    return JSON.stringify(answered);
  }

  async dispose(): Promise<void> {
    for (const surface of this.#surfaces.values()) await (await surface).close?.();
    await this.#scratch.dispose();
    await rm(this.#folder, { recursive: true, force: true });
  }

  async #do(surface: string, graph: string, tool: string, args: object): Promise<void> {
    const answer = await this.answer(surface, graph, tool, args, allowAll);
    if (answer.includes('"isError":true')) throw new Error(`${tool}: ${answer}`);
  }

  async #fill(): Promise<void> {
    for (const graph of ['typed', 'gated']) await this.#store.createGraph(graph);
    const entity = (name: string, entity_type: string) => ({
      name,
      entity_type,
      observations: ['a confidential fact', 'role: confidential'],
      summary: 'confidential summary',
      tags: ['confidential'],
    });
    await this.#do('workspace', 'default', 'create_entities', {
      entities: [
        entity('Known', 'confidential kind'),
        entity('Ghost', 'confidential kind'),
        entity('Knowne confidential', 'npc'),
        entity('Inn', 'npc'),
      ],
    });
    await this.#do('mesh', 'default', 'add_edges', {
      edges: [{ from: 'Known', to: 'Inn', edgeType: 'visits', weight: 0.8765 }],
    });
    const typed = new Graph(this.#store, 'typed');
    const author = { actor: 'tester', tool: 'test' };
    await applyGraphSchema({ commit: (work) => typed.commit(author, work) }, { source: schema });
    await this.#do('graph', 'typed', 'ingest', { ndjson: rows });
    for (const name of ['draft', 'other']) await this.#do('graph', 'typed', 'branches_create', { name });
    await this.#do('graph', 'typed', 'branches_create', { name: 'confidential child', from: 'other' });
    for (const [branch, salary] of [
      ['main', 8765],
      ['draft', 6],
    ] as const) {
      const source = `query q() { update Person set { salary: ${salary}, badge: "${branch === 'main' ? 'confidential' : '9'}" } where email = "ann@x" }`;
      await this.#do('graph', 'typed', 'mutate', { source, branch });
    }
    const sourced = { source: 'confidential source', extraction_method: 'api' };
    await this.#do('gate', 'gated', 'write_node', {
      label: 'Person',
      merge_keys: { name: 'Margaret Confidential' },
      properties: { age: 41 },
      ...sourced,
    });
    await this.#do('gate', 'gated', 'write_node', {
      label: 'Person',
      merge_keys: { name: 'Known' },
      properties: { email: 'confidential@x' },
      ...sourced,
    });
  }
}
