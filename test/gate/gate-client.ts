import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect } from 'vitest';
import { Graph } from '../../src/engine/graph.js';
import { createKeyedNode } from '../../src/engine/write/create-keyed-node.js';
import type { GateSettings } from '../../src/gate/gate-settings.js';
import { defaultGraph, mainBranch } from '../../src/model/graph-record.js';
import type { Props } from '../../src/model/json.js';
import { startHttpServer } from '../../src/server/http/http-server.js';
import type { Store } from '../../src/store/store-contract.js';
import { callTool } from '../../src/surfaces/dispatch.js';
import type { RequestContext } from '../../src/surfaces/request-context.js';
import { openSurface } from '../../src/surfaces/surface-registry.js';
import { clientOf, eras } from '../helpers/eras.js';
import { requestContextOn } from '../helpers/surfaces.js';
import { GraphDatabase, type WrittenEdge, type WrittenNode } from './graph-database.js';

export type Answer = Readonly<Record<string, unknown>>;

const ajv = new Ajv2020({ strict: true, allErrors: true, allowUnionTypes: true });

interface ListedTool {
  readonly name: string;
  readonly outputSchema?: object | undefined;
}

type Validators = ReadonlyMap<string, ReturnType<typeof ajv.compile>>;

type Caller = (name: string, args: object) => Promise<{ [key: string]: unknown }>;

interface DirectOptions {
  readonly gate?: GateSettings;
  readonly warn?: (message: string) => void;
  /** Default: the tester, who may do everything. */
  readonly caller?: Partial<Pick<RequestContext, 'actor' | 'may'>>;
  readonly branch?: string;
}

/** The gate on a store, called as a client would; every answer is checked against its output schema. */
export class GateClient {
  readonly #caller: Caller;
  readonly #validators: Validators;
  readonly close: () => Promise<void>;

  private constructor(caller: Caller, tools: readonly ListedTool[], close: () => Promise<void>) {
    this.#caller = caller;
    this.#validators = new Map(
      tools.map(({ name, outputSchema }) => [name, ajv.compile(outputSchema ?? {})]),
    );
    this.close = close;
  }

  /** By the official client, over HTTP. */
  static async overHttp(store: Store, gate: GateSettings = {}): Promise<GateClient> {
    const server = await startHttpServer({
      store,
      port: 0,
      root: { graph: defaultGraph, surface: 'gate' },
      settings: () => ({ gate }),
    });
    const [era] = eras;
    if (era === undefined) throw new Error('There is no protocol to speak.');
    const client = clientOf(era);
    await client.connect(new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`)));
    const { tools } = await client.listTools();
    return new GateClient(
      (name, args) => client.callTool({ name, arguments: { ...args } }),
      tools,
      async () => {
        await client.close();
        await server.close();
      },
    );
  }

  /** Without a transport between, for tests of many calls. */
  static async direct(
    store: Store,
    { gate = {}, warn = () => {}, caller = {}, branch = mainBranch }: DirectOptions = {},
  ): Promise<GateClient> {
    const graph = new Graph(store, defaultGraph, { branch });
    const surface = await openSurface('gate', { store, graph, settings: { gate }, warn });
    const context = { ...requestContextOn(surface, graph), ...caller };
    const tools = surface.tools.map(({ name, output }) => ({ name, outputSchema: output?.() }));
    return new GateClient(
      (name, args) => callTool(context, name, args),
      tools,
      async () => surface.close?.(),
    );
  }

  async call(name: string, args: object = {}): Promise<Answer> {
    const { isError, content, structuredContent } = await this.#caller(name, args);
    expect(isError, JSON.stringify(content)).not.toBe(true);
    const validate = this.#validators.get(name);
    expect(validate?.(structuredContent), ajv.errorsText(validate?.errors)).toBe(true);
    expect(content).toEqual([{ type: 'text', text: JSON.stringify(structuredContent, null, 2) }]);
    return structuredContent as Answer;
  }

  writeNode(args: object): Promise<Answer> {
    return this.call('write_node', args);
  }

  writeRelationship(args: object): Promise<Answer> {
    return this.call('write_relationship', args);
  }

  refresh(): Promise<Answer> {
    return this.call('refresh_schema_cache');
  }
}

/** A write of a person, as the seed has it. */
export function person(name: string, properties: Props = {}, more: object = {}): object {
  return {
    label: 'Person',
    merge_keys: { name },
    properties,
    source: 'test',
    extraction_method: 'manual',
    reliability: 0.9,
    ...more,
  };
}

/** A write of a relationship between two people. */
export function knows(from: string, to: string, more: object = {}): object {
  return {
    type: 'KNOWS',
    from_label: 'Person',
    from_keys: { name: from },
    to_label: 'Person',
    to_keys: { name: to },
    source: 'test',
    extraction_method: 'manual',
    reliability: 0.9,
    ...more,
  };
}

/** What a gate writes to. */
export type Ground = Store | GraphDatabase;

/** Writes what a schema allows into the graph, as `trellis gate schema add` does. */
export async function register(ground: Ground, name: string, props: Props = {}): Promise<void> {
  if (ground instanceof GraphDatabase) return ground.register(name, props);
  await new Graph(ground, defaultGraph).write({ actor: 'operator', tool: 'test' }, (tx) =>
    createKeyedNode(tx, { type: 'Schema', names: [name], props: { allowed: true, ...props } }),
  );
}

/** The schema most tests use: people who know each other, events, and a place for everything else. */
export async function registerPeople(ground: Ground): Promise<void> {
  await register(ground, 'Person', {
    required_properties: ['name'],
    absorbs: ['person', ':User'],
    property_types: { age: 'integer', email: 'string' },
  });
  await register(ground, 'Thing');
  await register(ground, 'KNOWS', { kind: 'relationship', from: ['Person'], to: ['Person'] });
}

/** Every real node of the default graph but the schema. */
export async function nodesOf(ground: Ground): Promise<readonly WrittenNode[]> {
  if (ground instanceof GraphDatabase) return ground.nodes();
  const nodes = await ground.read({ graph: defaultGraph }, (reader) => reader.nodes());
  return nodes.filter(({ type }) => type !== 'Schema');
}

export async function nodeNamed(ground: Ground, name: string): Promise<WrittenNode> {
  const found = (await nodesOf(ground)).filter((node) => node.name === name);
  expect(found).toHaveLength(1);
  return found[0] as WrittenNode;
}

export function edgesOf(ground: Ground): Promise<readonly WrittenEdge[]> {
  return ground instanceof GraphDatabase
    ? ground.edges()
    : ground.read({ graph: defaultGraph }, (reader) => reader.edges());
}
