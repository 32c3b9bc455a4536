import type { Client } from '@modelcontextprotocol/client';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { expect } from 'vitest';
import { Graph } from '../../src/engine/graph.js';
import { defaultGraph } from '../../src/model/graph-record.js';
import type { Store } from '../../src/store/store-contract.js';
import type { Surface, SurfaceSettings } from '../../src/surfaces/surface.js';
import { openSurface } from '../../src/surfaces/surface-registry.js';
import { connectedClient } from './connected-client.js';
import { requestContextOn } from './surfaces.js';

interface Answer {
  readonly structured: Record<string, unknown>;
  readonly texts: readonly string[];
  readonly isError: boolean;
}

export interface ListOf<T> {
  readonly results: T[];
  readonly degraded?: boolean;
  readonly warnings?: string[];
  readonly nextCursor?: string;
}

export interface WorkspaceOptions {
  readonly workspace?: string;
  readonly settings?: SurfaceSettings;
  readonly clock?: () => number;
  /** Milliseconds that a read may take; default: as long as it needs. */
  readonly readMs?: number;
}

const ajv = new Ajv2020({ strict: true, allErrors: true });

/** The workspace tools on a store, called by a real client; every answer is checked against its output schema. */
export class WorkspaceTools {
  readonly surface: Surface;
  readonly client: Client;
  readonly #validators = new Map<string, ValidateFunction>();

  private constructor(surface: Surface, client: Client) {
    this.surface = surface;
    this.client = client;
  }

  static async open(store: Store, options: WorkspaceOptions = {}): Promise<WorkspaceTools> {
    const { workspace = defaultGraph, settings = {}, clock, readMs } = options;
    const graph = new Graph(store, workspace);
    const surface = await openSurface('workspace', { store, graph, settings, warn: () => {} });
    const client = await connectedClient({
      ...requestContextOn(surface, graph),
      report: (error: unknown) => {
        throw error;
      },
      ...(clock === undefined ? {} : { clock }),
      ...(readMs === undefined ? {} : { readMs }),
    });
    await client.listTools();
    return new WorkspaceTools(surface, client);
  }

  async close(): Promise<void> {
    await this.client.close();
    await this.surface.close?.();
  }

  /** Calls a tool, whatever comes of it. */
  async call(name: string, args: Record<string, unknown> = {}): Promise<Answer> {
    const { structuredContent, content, isError } = await this.client.callTool({ name, arguments: args });
    const structured = (structuredContent ?? {}) as Record<string, unknown>;
    const texts = content.map((block) => (block.type === 'text' ? block.text : ''));
    if (isError !== true) this.#expectValid(name, structured, texts);
    return { structured, texts, isError: isError === true };
  }

  /** Calls a tool that must succeed. */
  async ok<T = Record<string, unknown>>(name: string, args: Record<string, unknown> = {}): Promise<T> {
    const { structured, texts, isError } = await this.call(name, args);
    expect(isError, texts[0]).toBe(false);
    return structured as T;
  }

  /** Calls a tool that must succeed and answers a list. */
  async list<T = Record<string, unknown>>(name: string, args: Record<string, unknown> = {}): Promise<T[]> {
    return (await this.ok<ListOf<T>>(name, args)).results;
  }

  /** Every item of a list, fetched in pages of this length. */
  async pages<T>(name: string, args: Record<string, unknown>, limit: number): Promise<T[]> {
    const all: T[] = [];
    for (let cursor: string | undefined; ; ) {
      const page = await this.ok<ListOf<T>>(name, { ...args, limit, ...(cursor ? { cursor } : {}) });
      expect(page.results.length).toBeLessThanOrEqual(limit);
      all.push(...page.results);
      cursor = page.nextCursor;
      if (cursor === undefined) return all;
    }
  }

  /** Calls a tool that must fail, and answers the error's text. */
  async error(name: string, args: Record<string, unknown> = {}): Promise<string> {
    const { texts, isError } = await this.call(name, args);
    expect(isError, texts[0]).toBe(true);
    return texts.join('\n');
  }

  async create(...entities: Record<string, unknown>[]): Promise<void> {
    await this.ok('create_entities', { entities: entities.map((one) => ({ entity_type: 'thing', ...one })) });
  }

  async relate(...triples: (readonly [string, string, string?])[]): Promise<void> {
    const relations = triples.map(([from_entity, to_entity, relation_type = 'knows']) => ({
      from_entity,
      to_entity,
      relation_type,
    }));
    const { not_found } = await this.ok<{ not_found: string[] }>('create_relations', { relations });
    expect(not_found).toEqual([]);
  }

  #expectValid(name: string, structured: Record<string, unknown>, texts: readonly string[]): void {
    const tool = this.surface.tools.find((candidate) => candidate.name === name);
    const schema = tool?.output?.();
    if (schema === undefined) throw new Error(`${name} has no output schema.`);
    const validate = this.#validators.get(name) ?? ajv.compile(schema);
    this.#validators.set(name, validate);
    expect(validate(structured), ajv.errorsText(validate.errors)).toBe(true);
    const [text = ''] = texts;
    const { results, ...beside } = structured;
    expect(JSON.parse(text)).toEqual(results ?? structured);
    if (results === undefined || Object.keys(beside).length === 0) expect(texts).toHaveLength(1);
    else expect(JSON.parse(texts[1] ?? '')).toEqual(beside);
  }
}

export function namesOf(items: readonly { readonly name: string }[]): string[] {
  return items.map(({ name }) => name);
}
