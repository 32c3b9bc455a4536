import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { expect } from 'vitest';
import { Graph } from '../../src/engine/graph.js';
import { defaultGraph } from '../../src/model/graph-record.js';
import type { Store } from '../../src/store/store-contract.js';
import { callTool, type ToolResult } from '../../src/surfaces/dispatch.js';
import type { MeshEdge, MeshNode } from '../../src/surfaces/mesh/mesh-shapes.js';
import type { RequestContext } from '../../src/surfaces/request-context.js';
import { openSurface } from '../../src/surfaces/surface-registry.js';
import { requestContextOn } from './surfaces.js';

export interface MeshGraph {
  readonly nodes: MeshNode[];
  readonly edges: MeshEdge[];
  readonly nextCursor?: string;
}

export interface MeshAnswer<D = MeshGraph> {
  readonly data: D;
  readonly actionTaken: string;
  readonly timestamp: string;
  readonly warnings?: string[];
}

export interface MeshFailure {
  readonly error: string;
  readonly context: { readonly tool: string; readonly code: string; readonly details: object };
  readonly suggestions: string[];
}

/** When every call of these tests happens, unless it commits. */
export const now = Date.UTC(2026, 0, 1);

const ajv = new Ajv2020({ strict: true, allErrors: true });
const validators = new WeakMap<object, ValidateFunction>();

/** The mesh tools on a store, called as a client would; every answer, good or bad, is checked against its output schema. */
export class MeshTools {
  readonly context: RequestContext;
  readonly warnings: string[];

  private constructor(context: RequestContext, warnings: string[]) {
    this.context = context;
    this.warnings = warnings;
  }

  static async open(store: Store, schemas?: string): Promise<MeshTools> {
    const graph = new Graph(store, defaultGraph);
    const warnings: string[] = [];
    const surface = await openSurface('mesh', {
      store,
      graph,
      settings: { schemas },
      warn: (message) => warnings.push(message),
    });
    return new MeshTools({ ...requestContextOn(surface, graph), clock: () => now }, warnings);
  }

  get names(): string[] {
    return this.context.surface.tools.map(({ name }) => name);
  }

  async close(): Promise<void> {
    await this.context.surface.close?.();
  }

  /** Calls a tool, whatever comes of it. */
  async call(name: string, args?: unknown): Promise<ToolResult> {
    const result = await callTool(this.context, name, args);
    this.#expectValid(name, result);
    return result;
  }

  /** Calls a tool that must succeed. */
  async ok<D = MeshGraph>(name: string, args?: unknown): Promise<MeshAnswer<D>> {
    const result = await this.call(name, args);
    expect(result.isError, result.content[0]?.text).toBe(false);
    return result.structuredContent as unknown as MeshAnswer<D>;
  }

  /** Calls a tool that must fail. */
  async error(name: string, args?: unknown): Promise<MeshFailure> {
    const result = await this.call(name, args);
    expect(result.isError, result.content[0]?.text).toBe(true);
    return result.structuredContent as unknown as MeshFailure;
  }

  async addNodes(...nodes: MeshNode[]): Promise<MeshAnswer> {
    return this.ok('add_nodes', { nodes });
  }

  async addEdges(...edges: (Omit<MeshEdge, 'weight'> & { weight?: number })[]): Promise<MeshAnswer> {
    return this.ok('add_edges', { edges });
  }

  async readGraph(): Promise<MeshGraph> {
    return (await this.ok('read_graph', {})).data;
  }

  /** How many commits the graph has. */
  async commits(store: Store): Promise<number> {
    return (await store.commits({ graph: defaultGraph })).length;
  }

  #expectValid(name: string, { content, structuredContent }: ToolResult): void {
    const tool = this.context.surface.tools.find((candidate) => candidate.name === name);
    const schema = tool?.output?.();
    if (schema === undefined) throw new Error(`${name} has no output schema.`);
    const validate = validators.get(schema) ?? ajv.compile(schema);
    validators.set(schema, validate);
    expect(validate(structuredContent), ajv.errorsText(validate.errors)).toBe(true);
    expect(content).toHaveLength(1);
    const [{ text } = { text: '' }] = content;
    if (!text.startsWith('Done. The result is too long')) expect(JSON.parse(text)).toEqual(structuredContent);
  }
}

export function node(name: string, metadata: string[] = [], nodeType = 'thing'): MeshNode {
  return { name, nodeType, metadata };
}

export function edge(from: string, to: string, edgeType = 'knows', weight?: number) {
  return { from, to, edgeType, ...(weight === undefined ? {} : { weight }) };
}

export function namesOf({ nodes }: { readonly nodes: readonly MeshNode[] }): string[] {
  return nodes.map(({ name }) => name);
}
