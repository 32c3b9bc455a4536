import { createMcpHandler, isLegacyRequest } from '@modelcontextprotocol/server';
import type { AccessControl } from '../../access/access-control.js';
import type { Actor } from '../../access/actor.js';
import { actions, atLeastOne, denyAll, type PermissionCheck } from '../../access/permission.js';
import { Graph } from '../../engine/graph.js';
import { TrellisError } from '../../model/error.js';
import { defaultGraph, mainBranch } from '../../model/graph-record.js';
import { limits } from '../../model/limits.js';
import { redactPaths } from '../../model/redact-error.js';
import { warnOnStderr } from '../../store/store-options.js';
import { type CallOutcome, type RequestContext, runTool } from '../../surfaces/dispatch.js';
import { serverSurface, withServerTools } from '../../surfaces/graph/server-surface.js';
import type { Surface, SurfaceSettings } from '../../surfaces/surface.js';
import { openSurface, surfaceNames } from '../../surfaces/surface-registry.js';
import type { ToolOutput } from '../../surfaces/tool.js';
import { InFlight } from '../in-flight.js';
import { createMcpServer } from '../mcp-server.js';
import { packageVersion } from '../package-version.js';
import { graphNames } from '../session.js';
import { announceChanges } from './announce-changes.js';
import type { DenialLog } from './denial-log.js';
import {
  branchNotVisible,
  graphNotServed,
  graphNotVisible,
  hasBrokenQueries,
  isGraphGone,
  isNotFound,
} from './endpoint-errors.js';
import { GraphIdCache } from './graph-id-cache.js';
import { fromAuthInfo, type HttpCaller, type Requester, toAuthInfo } from './http-caller.js';
import type { HttpOptions, Root } from './http-options.js';
import { handleLegacyPost } from './legacy-post.js';
import { OpenGraphs } from './open-graphs.js';
import { isListenRequest, SubscriptionListeners } from './subscription-listeners.js';

/** A surface on a branch of a graph. */
export interface SurfaceAddress {
  readonly graph: string;
  readonly branch: string;
  readonly surface: string | Surface;
  /** Shows what can be asked of the server as a whole beside the surface. */
  readonly withServer?: boolean;
}

/** What can be asked of the server, which is about no graph. */
const serverAddress: SurfaceAddress = { graph: '', branch: mainBranch, surface: serverSurface };

/** One place, open. */
export interface Endpoint {
  /** Answers the messages of one POST: as JSON, unless it asks to listen for changes. */
  answer(request: Request, caller: Omit<HttpCaller, 'signal'>, message: unknown): Promise<Response>;
  /** The place as one actor sees it, for one request or one connection. */
  contextFor(actor: Actor, requestId: string): Promise<RequestContext>;
  /** Whether its graph has been renamed or deleted since. */
  isGone(): Promise<boolean>;
  /** Tells those who listen that the server has other graphs. */
  graphsChanged(): void;
  close(): Promise<void>;
}

export interface EndpointsOptions extends Pick<HttpOptions, 'store' | 'settings'> {
  readonly access: AccessControl;
  readonly root: Root;
  readonly readMs: number;
  /** Clients that may listen for changes at one place at the same time. */
  readonly listeners: number;
  readonly report: (error: unknown) => void;
  readonly observe: (outcome: CallOutcome, requestId: string) => void;
  readonly committed: (graph: string) => void;
  readonly rejected: (code: string) => void;
  readonly denials: DenialLog;
  /** Told of a graph that was renamed or deleted, by this process or another. */
  readonly forgotten?: ((graph: string, branch?: string) => void) | undefined;
}

/** The places of a server, each opened when it is first asked for. */
export class Endpoints {
  readonly #options: EndpointsOptions;
  readonly #graphs: OpenGraphs;
  /** What the server as a whole is asked is about no graph, but every tool has one. */
  readonly #noGraph: Graph;
  readonly #open = new Map<string, Promise<Endpoint>>();
  readonly #known: GraphIdCache;
  /** The ids of the graphs that have places open. */
  readonly #ids = new Map<string, number>();
  readonly #settings = new Map<string, SurfaceSettings>();

  constructor(options: EndpointsOptions) {
    this.#options = options;
    this.#graphs = new OpenGraphs({
      ...options,
      branchDeleted: (graph, branch) => void this.forget(graph, branch),
    });
    this.#known = new GraphIdCache(options.store);
    this.#noGraph = new Graph(options.store, defaultGraph);
  }

  /** Opens what `/mcp` shows when the server starts, so that what is wrong with it is known at once. */
  async openRoot(): Promise<void> {
    await this.#endpoint(this.#rootOn(mainBranch));
  }

  /** What `/mcp` shows. */
  root(branch: string): Promise<Endpoint> {
    return this.#served(this.#rootOn(branch));
  }

  #rootOn(branch: string): SurfaceAddress {
    const { root } = this.#options;
    return root === 'server' ? serverAddress : { ...root, branch, withServer: root.surface === 'graph' };
  }

  /**
   * Opens the graphs that have stored queries, so that what is wrong with one is known when the server starts. A graph
   * whose queries are broken is reported, and refused whenever it is asked for; the others are served.
   */
  async openQueries(graphs: readonly string[]): Promise<void> {
    for (const graph of graphs) {
      if ((this.#settingsOf(graph).queries ?? []).length === 0) continue;
      try {
        await this.#endpoint({ graph, branch: mainBranch, surface: 'graph' });
      } catch (error) {
        if (!hasBrokenQueries(error)) throw error;
        this.#options.report(
          new TrellisError(error.code, `The graph ${graph} is not served: ${error.message}`, {
            hint: error.hint ?? '',
            cause: error,
          }),
        );
      }
    }
  }

  /**
   * The endpoint of a place, for an actor. A graph that is not there and one the actor has no grant on are refused in
   * the same words.
   */
  async at(place: SurfaceAddress, { actor, requestId }: Requester): Promise<Endpoint> {
    if (typeof place.surface === 'string' && !surfaceNames.includes(place.surface)) {
      throw new TrellisError('NOT_FOUND', `There is no surface named ${JSON.stringify(place.surface)}.`, {
        hint: `Use one of: ${surfaceNames.join(', ')}.`,
      });
    }
    const { access, denials } = this.#options;
    // Names cost a caller nothing to make up, so the policy is asked only about what is there.
    if (!(await this.#graphs.has(place.graph))) {
      denials.scopeNotFound(actor, place, 'graph', requestId);
      throw graphNotVisible(place.graph);
    }
    if (!access.canSee(actor, place.graph)) {
      denials.scopeDenied(actor, place, requestId);
      throw graphNotVisible(place.graph);
    }
    if (!(await this.#graphs.hasBranch(place.graph, place.branch))) {
      denials.scopeNotFound(actor, place, 'branch', requestId);
      throw branchNotVisible(place.branch);
    }
    const may = access.may(actor, place.graph, place.branch);
    if (place.branch !== mainBranch && !actions.some((action) => may([{ action, query: atLeastOne }]))) {
      denials.scopeDenied(actor, place, requestId);
      throw branchNotVisible(place.branch);
    }
    return this.#served(place);
  }

  /** The endpoint of a place, for a client, who is told of no file that stands in its way. */
  async #served(place: SurfaceAddress): Promise<Endpoint> {
    try {
      return await this.#endpoint(place);
    } catch (error) {
      if (hasBrokenQueries(error)) throw graphNotServed(place.graph, error);
      if (!(error instanceof TrellisError) || isNotFound(error)) throw error;
      const told = redactPaths(error);
      if (told !== error) this.#options.report(error);
      throw told;
    }
  }

  /** Lets a route work on a place, or on the server as a whole, as its caller sees it. */
  async use<T>(
    place: SurfaceAddress | 'server',
    caller: HttpCaller,
    work: (binding: RequestContext) => Promise<T>,
  ): Promise<T> {
    const endpoint = place === 'server' ? await this.#served(serverAddress) : await this.at(place, caller);
    const binding = await endpoint.contextFor(caller.actor, caller.requestId);
    return caller.calls.track(() => work(binding));
  }

  /** Runs a tool there as MCP does, but answers what it answers, or throws. */
  run(
    place: SurfaceAddress | 'server',
    caller: HttpCaller,
    tool: string,
    args: unknown,
  ): Promise<ToolOutput> {
    return this.use(place, caller, (binding) => runTool(binding, tool, args, caller.signal));
  }

  /** Refuses a graph that is not there, and closes its places if another process has renamed, deleted or replaced it. */
  async requireGraph(graph: string): Promise<void> {
    const id = await this.#known.idOf(graph);
    const opened = this.#ids.get(graph);
    if (opened !== undefined && opened !== id) await this.forget(graph);
    if (id === undefined) throw graphNotVisible(graph);
    this.#ids.set(graph, id);
  }

  /** Closes every place on a graph, or on one branch of it: it has another name from now on, or is gone. */
  async forget(graph: string, branch?: string): Promise<void> {
    if (branch === undefined) {
      this.#ids.delete(graph);
      this.#settings.delete(graph);
    }
    this.#options.forgotten?.(graph, branch);
    this.#graphs.forget(graph, branch);
    const closing = [...this.#open].filter(([key]) => isKeyOf(key, graph, branch));
    for (const [key] of closing) this.#open.delete(key);
    await Promise.allSettled(closing.map(async ([, endpoint]) => (await endpoint).close()));
  }

  /** Tells those who listen that graphs were made, renamed or deleted. */
  async graphsChanged(): Promise<void> {
    for (const endpoint of this.#open.values()) (await endpoint).graphsChanged();
  }

  /** The graphs an actor can reach. */
  async graphsOf(actor: Actor): Promise<string[]> {
    const { store, access } = this.#options;
    return (await graphNames(store)).filter((name) => access.canSee(actor, name));
  }

  async close(): Promise<void> {
    await Promise.allSettled([...this.#open.values()].map(async (endpoint) => (await endpoint).close()));
  }

  async #endpoint(place: SurfaceAddress): Promise<Endpoint> {
    if (place.graph !== '') await this.requireGraph(place.graph);
    const surface = typeof place.surface === 'string' ? place.surface : place.surface.name;
    const key = JSON.stringify([place.graph, place.branch, surface, place.withServer === true]);
    const known = this.#open.get(key);
    if (known !== undefined) return known;
    const opening = this.#start(place);
    this.#open.set(key, opening);
    // What stood in the way may be gone by the next request.
    opening.catch(() => this.#open.delete(key));
    return opening;
  }

  async #start(place: SurfaceAddress): Promise<Endpoint> {
    const { report } = this.#options;
    const graph = place.graph === '' ? this.#noGraph : await this.#graphs.branch(place.graph, place.branch);
    // Another process may delete branches, so that there are never more of them open than there were once.
    for (const branch of await this.#graphs.deleted(place.graph)) await this.forget(place.graph, branch);
    const surface = await this.#surface(place, graph);
    const bindingFor: Endpoint['contextFor'] = (actor, requestId) =>
      this.#binding(surface, graph, actor, requestId);
    const handler = createMcpHandler(
      async ({ authInfo }) => {
        const { actor, requestId, calls } = fromAuthInfo(authInfo);
        return createMcpServer(await bindingFor(actor, requestId), { updates: 'elsewhere', calls });
      },
      {
        legacy: 'reject',
        maxRequestBodySize: limits.requestBytes,
        maxSubscriptions: this.#options.listeners,
        onerror: report,
      },
    );
    const listeners = new SubscriptionListeners();
    const running = new InFlight();
    const told = announceChanges(handler, listeners, surface, graph);
    return {
      contextFor: bindingFor,
      graphsChanged: told.graphsChanged,
      isGone: async () => place.graph !== '' && isGraphGone(this.requireGraph(place.graph)),
      answer: (request, { actor, requestId, calls }, message) =>
        running.track(async () => {
          const authInfo = toAuthInfo({ actor, requestId, calls });
          if (await isLegacyRequest(request, message)) {
            const server = createMcpServer(await bindingFor(actor, requestId), { updates: 'never', calls });
            return handleLegacyPost(server, request, { message, authInfo });
          }
          const answer = (parsedBody: unknown) => handler.fetch(request, { authInfo, parsedBody });
          if (!isListenRequest(message)) return answer(message);
          return listeners.serve(await bindingFor(actor, requestId), message, answer);
        }),
      async close() {
        told.stop();
        // A call may be what closes this place, by deleting its branch; it is answered first.
        await running.idle();
        await handler.close();
        await surface.close?.();
      },
    };
  }

  async #surface({ surface, withServer }: SurfaceAddress, graph: Graph): Promise<Surface> {
    if (typeof surface === 'object') return surface;
    const { store } = this.#options;
    const opened = await openSurface(surface, {
      store,
      graph,
      settings: this.#settingsOf(graph.name),
      warn: warnOnStderr,
      rejected: this.#options.rejected,
    });
    return withServer === true ? withServerTools(opened) : opened;
  }

  /** The same for every place on a graph, as long as the server runs. */
  #settingsOf(graph: string): SurfaceSettings {
    const settings = this.#settings.get(graph) ?? this.#options.settings?.(graph) ?? {};
    this.#settings.set(graph, settings);
    return settings;
  }

  async #binding(surface: Surface, graph: Graph, actor: Actor, requestId: string): Promise<RequestContext> {
    const { report, observe, denials } = this.#options;
    const place = { graph: surface === serverSurface ? '' : graph.name, branch: graph.branch };
    return {
      surface,
      graph,
      actor,
      may: await this.#may(surface, graph, actor),
      server: { version: packageVersion(), graphs: () => this.graphsOf(actor) },
      report,
      isRemote: true,
      readMs: this.#settingsOf(graph.name).limits?.readMs ?? this.#options.readMs,
      observe: (outcome) => observe(outcome, requestId),
      denied: (refusal) => denials.callDenied(actor, place, refusal, requestId),
    };
  }

  /** Whoever has no grant may do nothing, not even what needs none. */
  async #may(surface: Surface, graph: Graph, actor: Actor): Promise<PermissionCheck> {
    const { access } = this.#options;
    if (surface !== serverSurface) {
      return access.canSee(actor, graph.name) ? access.may(actor, graph.name, graph.branch) : denyAll;
    }
    const may = access.mayOnServer(actor);
    const granted = may([{ action: 'graph_list' }]) || (await this.graphsOf(actor)).length > 0;
    return granted ? may : denyAll;
  }
}

/** Whether the key of a place is about a graph, or a branch of it. */
function isKeyOf(key: string, graph: string, branch: string | undefined): boolean {
  const beginning = branch === undefined ? [graph] : [graph, branch];
  return key.startsWith(`[${beginning.map((part) => `${JSON.stringify(part)},`).join('')}`);
}
