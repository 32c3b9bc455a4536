import type { AccessControl } from '../../access/access-control.js';
import type { Actor } from '../../access/actor.js';
import { actions, atLeastOne, denyAll, type PermissionCheck } from '../../access/permission.js';
import { Graph } from '../../engine/graph.js';
import { BranchSignal } from '../../engine/history/branch-signal.js';
import { systemClock } from '../../model/clock.js';
import { TrellisError } from '../../model/error.js';
import { defaultGraph, graphNotFound, mainBranch } from '../../model/graph-record.js';
import { graphNames } from '../../store/graph-names.js';
import { warnOnStderr } from '../../store/store-options.js';
import { runTool } from '../../surfaces/dispatch.js';
import {
  serverSurface,
  withServerTools,
  withUnlistedServerTools,
} from '../../surfaces/graph/server-surface.js';
import type { CallOutcome, RequestContext, RequestOrigin } from '../../surfaces/request-context.js';
import type { Surface, SurfaceContext, SurfaceSettings } from '../../surfaces/surface.js';
import { openSurface, surfaceNames } from '../../surfaces/surface-registry.js';
import type { ToolOutput } from '../../surfaces/tool.js';
import { packageVersion } from '../package-version.js';
import type { DenialLog } from './denial-log.js';
import { type Endpoint, openEndpoint } from './endpoint.js';
import { branchNotVisible, graphNotServed, hasBrokenQueries } from './endpoint-errors.js';
import { GraphIdCache } from './graph-id-cache.js';
import type { HttpOptions, Root } from './http-options.js';
import { OpenGraphs } from './open-graphs.js';
import type { SurfaceAddress } from './surface-address.js';

const serverAddress: SurfaceAddress = { graph: '', branch: mainBranch, surface: serverSurface };

export interface EndpointsOptions extends Pick<HttpOptions, 'store' | 'settings'> {
  readonly access: AccessControl;
  readonly root: Root;
  readonly readMs: number;
  readonly listeners: number;
  readonly report: (error: unknown) => void;
  readonly warn?: ((message: string) => void) | undefined;
  readonly onCall: (outcome: CallOutcome, requestId: string) => void;
  readonly committed: (graph: string) => void;
  readonly onRefused: NonNullable<SurfaceContext['onRefused']>;
  readonly denials: DenialLog;
  readonly stopping?: AbortSignal | undefined;
  /** Called when a graph or branch was renamed or deleted, by this process or another. */
  readonly forgotten?: ((graph: string, branch?: string) => void) | undefined;
}

export class Endpoints {
  readonly #options: EndpointsOptions;
  readonly #graphs: OpenGraphs;
  /** Every tool has a graph; those of the server as a whole get this one. */
  readonly #noGraph: Graph;
  readonly #open = new Map<string, Promise<Endpoint>>();
  readonly #known: GraphIdCache;
  readonly #ids = new Map<string, number>();
  readonly #settings = new Map<string, SurfaceSettings>();

  constructor(options: EndpointsOptions) {
    this.#options = options;
    this.#graphs = new OpenGraphs({
      ...options,
      gone: (graph, branch) => void this.forget(graph, branch),
    });
    this.#known = new GraphIdCache(options.store);
    this.#noGraph = new Graph(options.store, defaultGraph);
  }

  /** At start, so that a broken configuration shows at once. */
  async openRoot(): Promise<void> {
    await this.#endpoint(this.#rootOn(mainBranch));
  }

  async root(branch: string, origin: RequestOrigin): Promise<Endpoint> {
    const address = this.#rootOn(branch);
    if (address.branch !== mainBranch) {
      await this.requireGraph(address.graph);
      await this.#requireBranch(address, origin);
    }
    return this.#served(address);
  }

  #rootOn(branch: string): SurfaceAddress {
    const { root } = this.#options;
    return root === 'server' ? serverAddress : { ...root, branch, withServer: root.surface === 'graph' };
  }

  /** Finds broken stored queries at start: their graphs are reported and refused, the others are served. */
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

  /** A missing graph and one the actor has no grant on are refused in the same words. */
  async at(address: SurfaceAddress, origin: RequestOrigin): Promise<Endpoint> {
    const { actor } = origin;
    if (typeof address.surface === 'string' && !surfaceNames.includes(address.surface))
      throw new TrellisError('NOT_FOUND', `There is no surface named ${JSON.stringify(address.surface)}.`, {
        hint: `Use one of: ${surfaceNames.join(', ')}.`,
      });
    const { access, denials } = this.#options;
    // Clients can make up names, so the policy is consulted only about existing graphs.
    if (!(await this.#graphs.has(address.graph))) {
      denials.scopeNotFound(origin, address, 'graph');
      throw graphNotFound(address.graph);
    }
    if (!access.canSee(actor, address.graph)) {
      denials.scopeDenied(origin, address);
      throw graphNotFound(address.graph);
    }
    await this.#requireBranch(address, origin);
    return this.#served(address);
  }

  /** A missing branch and one the actor has no grant on are refused in the same words. */
  async #requireBranch(address: SurfaceAddress, origin: RequestOrigin): Promise<void> {
    const { access, denials } = this.#options;
    if (!(await this.#graphs.hasBranch(address.graph, address.branch))) {
      denials.scopeNotFound(origin, address, 'branch');
      throw branchNotVisible(address.branch);
    }
    const may = access.may(origin.actor, address.graph, address.branch);
    if (address.branch !== mainBranch && !actions.some((action) => may([{ action, query: atLeastOne }]))) {
      denials.scopeDenied(origin, address);
      throw branchNotVisible(address.branch);
    }
  }

  /** Clients do not see which file is broken. */
  async #served(address: SurfaceAddress): Promise<Endpoint> {
    try {
      return await this.#endpoint(address);
    } catch (error) {
      throw hasBrokenQueries(error) ? graphNotServed(address.graph, error) : error;
    }
  }

  async use<T>(
    address: SurfaceAddress | 'server',
    origin: RequestOrigin,
    work: (context: RequestContext) => Promise<T>,
  ): Promise<T> {
    const endpoint =
      address === 'server' ? await this.#served(serverAddress) : await this.at(address, origin);
    const context = await endpoint.contextFor(origin);
    return origin.calls.track(() => work(context));
  }

  run(
    address: SurfaceAddress | 'server',
    origin: RequestOrigin,
    tool: string,
    args: unknown,
    route?: string,
  ): Promise<ToolOutput> {
    return this.use(address, origin, (context) => runTool(context, tool, args, route));
  }

  /** Closes the endpoints of a graph that another process has renamed, deleted or replaced. */
  async requireGraph(graph: string): Promise<void> {
    const id = await this.#known.idOf(graph);
    const opened = this.#ids.get(graph);
    if (opened !== undefined && opened !== id) await this.forget(graph);
    if (id === undefined) throw graphNotFound(graph);
    this.#ids.set(graph, id);
  }

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

  async graphsChanged(): Promise<void> {
    for (const endpoint of this.#open.values()) (await endpoint).graphsChanged();
  }

  follow(graph: string, branch: string): Promise<BranchSignal> {
    const { store, stopping } = this.#options;
    return BranchSignal.open(store, { graph, branch, cancelled: stopping });
  }

  async graphsOf(actor: Actor): Promise<string[]> {
    const { store, access } = this.#options;
    return (await graphNames(store)).filter((name) => access.canSee(actor, name));
  }

  async close(): Promise<void> {
    this.#graphs.close();
    await Promise.allSettled([...this.#open.values()].map(async (endpoint) => (await endpoint).close()));
  }

  async #endpoint(address: SurfaceAddress): Promise<Endpoint> {
    if (address.graph !== '') await this.requireGraph(address.graph);
    const surface = typeof address.surface === 'string' ? address.surface : address.surface.name;
    const key = JSON.stringify([address.graph, address.branch, surface, address.withServer === true]);
    const known = this.#open.get(key);
    if (known !== undefined) return known;
    const opening = this.#start(address);
    this.#open.set(key, opening);
    // The next request may succeed.
    opening.catch(() => this.#open.delete(key));
    return opening;
  }

  async #start(address: SurfaceAddress): Promise<Endpoint> {
    const { report, listeners } = this.#options;
    const { graph: name, branch } = address;
    const graph = name === '' ? this.#noGraph : await this.#graphs.branch(name, branch);
    const surface = await this.#surface(address, graph);
    return openEndpoint({
      ...{ surface, graph, listeners, report },
      contextFor: (origin) => this.#contextFor(surface, graph, origin),
    });
  }

  async #surface({ surface, withServer }: SurfaceAddress, graph: Graph): Promise<Surface> {
    if (typeof surface === 'object') return surface;
    const { store } = this.#options;
    const opened = await openSurface(surface, {
      store,
      graph,
      settings: this.#settingsOf(graph.name),
      warn: this.#options.warn ?? warnOnStderr,
      onRefused: this.#options.onRefused,
    });
    if (opened.name !== 'graph') return opened;
    return withServer === true ? withServerTools(opened) : withUnlistedServerTools(opened);
  }

  #settingsOf(graph: string): SurfaceSettings {
    const settings = this.#settings.get(graph) ?? this.#options.settings?.(graph) ?? {};
    this.#settings.set(graph, settings);
    return settings;
  }

  async #contextFor(surface: Surface, graph: Graph, origin: RequestOrigin): Promise<RequestContext> {
    const { actor, requestId } = origin;
    const { report, onCall, denials, stopping } = this.#options;
    const scope = { graph: surface === serverSurface ? '' : graph.name, branch: graph.branch };
    return {
      ...origin,
      surface,
      graph,
      may: await this.#may(surface, graph, actor),
      server: { version: packageVersion(), graphs: () => this.graphsOf(actor) },
      clock: systemClock,
      stopping,
      isRemote: true,
      readMs: this.#settingsOf(graph.name).limits?.readMs ?? this.#options.readMs,
      report,
      onCall: (outcome) => onCall(outcome, requestId),
      onDenied: (denied) => denials.callDenied(origin, scope, denied),
    };
  }

  /** Without any grant, even what needs no permission is denied. */
  async #may(surface: Surface, graph: Graph, actor: Actor): Promise<PermissionCheck> {
    const { access } = this.#options;
    if (surface !== serverSurface)
      return access.canSee(actor, graph.name) ? access.may(actor, graph.name, graph.branch) : denyAll;
    const may = access.mayOnServer(actor);
    const granted = may([{ action: 'graph_list' }]) || (await this.graphsOf(actor)).length > 0;
    return granted ? may : denyAll;
  }
}

function isKeyOf(key: string, graph: string, branch: string | undefined): boolean {
  const beginning = branch === undefined ? [graph] : [graph, branch];
  return key.startsWith(`[${beginning.map((part) => `${JSON.stringify(part)},`).join('')}`);
}
