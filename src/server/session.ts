import { type Actor, localActor } from '../access/actor.js';
import { Graph } from '../engine/graph.js';
import { asTrellisError } from '../model/error.js';
import { defaultGraph } from '../model/graph.js';
import type { Store } from '../store/contract.js';
import { warnOnStderr } from '../store/options.js';
import { type Binding, errorText } from '../surfaces/dispatch.js';
import { mayEverything } from '../surfaces/permission.js';
import { openSurface } from '../surfaces/registry.js';
import type { Surface, SurfaceSettings } from '../surfaces/surface.js';

/** What a server shows, and to whom. The store stays the caller's: whoever opened it closes it. */
export interface SessionOptions {
  readonly store: Store;
  /** Default: `default`. */
  readonly graph?: string | undefined;
  /** Default: `main`. */
  readonly branch?: string | undefined;
  /** By name, or one of one's own. Default: `memory`. */
  readonly surface?: string | Surface | undefined;
  /** What the surfaces of a graph are made from. */
  readonly settings?: ((graph: string) => SurfaceSettings) | undefined;
  /** Default: whoever runs the process. */
  readonly actor?: Actor | undefined;
  /** Told of what went wrong beside the answers; the default writes a line on stderr. */
  readonly report?: ((error: unknown) => void) | undefined;
}

/** Puts a surface on a graph of the store, or on one that is open already. */
export async function bind(options: SessionOptions, opened?: Graph): Promise<Binding> {
  const report = options.report ?? reportOnStderr;
  const graph = opened ?? openGraph(options);
  const { store, surface = 'memory' } = options;
  const settings = options.settings?.(graph.name) ?? {};
  return {
    surface:
      typeof surface === 'object'
        ? surface
        : await openSurface(surface, { store, graph, settings, warn: warnOnStderr }),
    graph,
    actor: options.actor ?? localActor(),
    may: mayEverything,
    report,
  };
}

export function openGraph({ store, graph, branch, report }: SessionOptions): Graph {
  return new Graph(store, graph ?? defaultGraph, {
    ...(branch === undefined ? {} : { branch }),
    report: report ?? reportOnStderr,
  });
}

export function reportOnStderr(thrown: unknown): void {
  warnOnStderr(errorText(asTrellisError(thrown)));
}
