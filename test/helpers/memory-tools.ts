import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect } from 'vitest';
import type { z } from 'zod';
import { Graph } from '../../src/engine/graph.js';
import { defaultGraph } from '../../src/model/graph-record.js';
import type { Store } from '../../src/store/store-contract.js';
import { callTool, type ToolResult } from '../../src/surfaces/dispatch.js';
import type { MemoryEntity, MemoryRelation, pageOutput } from '../../src/surfaces/memory/memory-shapes.js';
import { memorySurface } from '../../src/surfaces/memory/memory-surface.js';
import type { RequestContext } from '../../src/surfaces/request-context.js';
import type { Tool } from '../../src/surfaces/tool.js';
import { requestContextOn } from './surfaces.js';

export type GraphAnswer = z.output<typeof pageOutput>;

const ajv = new Ajv2020({ strict: true, allErrors: true });
const validators = new Map(memorySurface.tools.map((tool) => [tool.name, validatorOf(tool)]));

/** The memory tools on a store, called as a client would; every answer is checked against its output schema. */
export class MemoryTools {
  readonly context: RequestContext;

  constructor(store: Store) {
    this.context = requestContextOn(memorySurface, new Graph(store, defaultGraph));
  }

  /** Calls a tool, whatever comes of it. */
  async call(name: string, args?: unknown): Promise<ToolResult> {
    const result = await callTool(this.context, name, args);
    if (result.isError !== true) expectValid(name, result.structuredContent);
    return result;
  }

  /** Calls a tool that must succeed, and answers its structured content. */
  async ok<T = Record<string, unknown>>(name: string, args?: unknown): Promise<T> {
    const result = await this.call(name, args);
    expect(result.isError, textOf(result)).toBeUndefined();
    return result.structuredContent as T;
  }

  /** Calls a tool that must fail, and answers the error's text. */
  async error(name: string, args?: unknown): Promise<string> {
    const result = await this.call(name, args);
    expect(result.isError).toBe(true);
    expect(result.content).toHaveLength(1);
    return textOf(result);
  }

  async createEntities(...entities: MemoryEntity[]): Promise<MemoryEntity[]> {
    return (await this.ok<{ entities: MemoryEntity[] }>('create_entities', { entities })).entities;
  }

  async createRelations(...relations: MemoryRelation[]): Promise<MemoryRelation[]> {
    return (await this.ok<{ relations: MemoryRelation[] }>('create_relations', { relations })).relations;
  }

  readGraph(args: object = {}): Promise<GraphAnswer> {
    return this.ok('read_graph', args);
  }

  search(query: string, args: object = {}): Promise<GraphAnswer> {
    return this.ok('search_nodes', { query, ...args });
  }

  open(...names: string[]): Promise<GraphAnswer> {
    return this.ok('open_nodes', { names });
  }
}

export function entity(name: string, observations: string[] = [], entityType = 'thing'): MemoryEntity {
  return { name, entityType, observations };
}

export function relation(from: string, to: string, relationType = 'knows'): MemoryRelation {
  return { from, to, relationType };
}

function textOf(result: ToolResult): string {
  return result.content.map(({ text }) => text).join('\n');
}

export function namesOf({ entities }: { entities: readonly MemoryEntity[] }): string[] {
  return entities.map(({ name }) => name);
}

function validatorOf(tool: Tool) {
  const schema = tool.output?.();
  if (schema === undefined) throw new Error(`${tool.name} has no output schema.`);
  return ajv.compile(schema);
}

function expectValid(name: string, structured: unknown): void {
  const validate = validators.get(name);
  if (validate === undefined) throw new Error(`There is no tool ${name}.`);
  expect(validate(structured), ajv.errorsText(validate.errors)).toBe(true);
}
