import { createMcpHandler, type McpHttpHandler } from '@modelcontextprotocol/server';
import type { Graph } from '../engine/graph.js';
import { TrellisError } from '../model/error.js';
import { defaultGraph } from '../model/graph.js';
import { limits } from '../model/limits.js';
import type { Binding } from '../surfaces/dispatch.js';
import { surfaceNames } from '../surfaces/registry.js';
import type { Surface } from '../surfaces/surface.js';
import type { InFlight } from './in-flight.js';
import { mcpServer } from './mcp-server.js';
import { bind, openGraph, type SessionOptions } from './session.js';
import { urisOf } from './updates.js';

/** One surface on one graph, as a handler of HTTP requests. */
interface Endpoint {
  readonly handler: McpHttpHandler;
  close(): Promise<void>;
}

/** The surfaces on the graphs of a store, each opened when it is first asked for. */
export class Endpoints {
  readonly #options: SessionOptions;
  readonly #calls: InFlight;
  readonly #graphs = new Map<string, Graph>();
  readonly #open = new Map<string, Promise<Endpoint>>();

  constructor(options: SessionOptions, calls: InFlight) {
    this.#options = options;
    this.#calls = calls;
  }

  /** Opens the surface and graph the server was started with, so that what is wrong with them is known at once. */
  async openDefault(): Promise<void> {
    await this.#default();
  }

  /** Answers a request to that surface. */
  async fetchDefault(request: Request): Promise<Response> {
    return (await this.#default()).handler.fetch(request);
  }

  /** Answers a request to a surface by name; throws `GRAPH_NOT_FOUND` or `NOT_FOUND` if there is none. */
  async fetch(graph: string, surface: string, request: Request): Promise<Response> {
    if (!surfaceNames.includes(surface)) {
      throw new TrellisError('NOT_FOUND', `There is no surface named ${JSON.stringify(surface)}.`, {
        hint: `Use one of: ${surfaceNames.join(', ')}.`,
      });
    }
    return (await this.#endpoint(graph, surface)).handler.fetch(request);
  }

  async close(): Promise<void> {
    await Promise.all([...this.#open.values()].map(async (endpoint) => (await endpoint).close()));
  }

  #default(): Promise<Endpoint> {
    const { graph = defaultGraph, surface = 'memory' } = this.#options;
    return this.#endpoint(graph, surface);
  }

  #endpoint(graph: string, surface: string | Surface): Promise<Endpoint> {
    const key = JSON.stringify([graph, typeof surface === 'string' ? surface : surface.name]);
    const known = this.#open.get(key);
    if (known !== undefined) return known;
    const opening = this.#start(graph, surface);
    this.#open.set(key, opening);
    // What stood in the way may be gone by the next request.
    opening.catch(() => this.#open.delete(key));
    return opening;
  }

  async #start(name: string, surface: string | Surface): Promise<Endpoint> {
    const graph = await this.#graph(name);
    const binding = await bind({ ...this.#options, graph: name, surface }, graph);
    const handler = createMcpHandler(
      ({ era }) =>
        mcpServer(binding, { updates: era === 'legacy' ? 'never' : 'elsewhere', calls: this.#calls }),
      { maxRequestBodySize: limits.requestBytes, onerror: binding.report },
    );
    const stop = announce(handler, binding);
    return {
      handler,
      async close() {
        stop();
        await handler.close();
        await binding.surface.close?.();
      },
    };
  }

  /** Surfaces of one graph share it, so that what is written through one is announced on the others. */
  async #graph(name: string): Promise<Graph> {
    const known = this.#graphs.get(name);
    if (known !== undefined) return known;
    const names = (await this.#options.store.graphs()).map((graph) => graph.name);
    if (!names.includes(name)) {
      throw new TrellisError('GRAPH_NOT_FOUND', `There is no graph named ${JSON.stringify(name)}.`, {
        hint: `Make it with: trellis graph create ${name}`,
      });
    }
    const graph = this.#graphs.get(name) ?? openGraph({ ...this.#options, graph: name });
    this.#graphs.set(name, graph);
    return graph;
  }
}

/** Tells the clients that listen of every change. */
function announce(handler: McpHttpHandler, binding: Binding): () => void {
  const stopUpdates = binding.graph.events.committed(() => {
    for (const uri of urisOf(binding)) handler.notify.resourceUpdated(uri);
  });
  const stopTools = binding.surface.onToolsChanged?.(() => handler.notify.toolsChanged());
  return () => {
    stopUpdates();
    stopTools?.();
  };
}
