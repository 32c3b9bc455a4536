import { type Actor, localActor } from '../access/actor.js';
import { allowAll } from '../access/permission.js';
import { InFlight } from '../bounds/in-flight.js';
import { Graph } from '../engine/graph.js';
import { systemClock } from '../model/clock.js';
import { asTrellisError, TrellisError } from '../model/error.js';
import { defaultGraph } from '../model/graph-record.js';
import { graphNames } from '../store/graph-names.js';
import type { Store } from '../store/store-contract.js';
import { warnOnStderr } from '../store/store-options.js';
import { errorText } from '../surfaces/dispatch.js';
import type { RequestContext } from '../surfaces/request-context.js';
import type { Surface, SurfaceSettings } from '../surfaces/surface.js';
import { openSurface } from '../surfaces/surface-registry.js';
import { defaultLimits } from './http/limits/server-limits.js';
import { packageVersion } from './package-version.js';

/** The caller keeps and closes the store. */
export interface SessionOptions {
  readonly store: Store;
  /** Default: `default`. */
  readonly graph?: string | undefined;
  /** Default: `main`. */
  readonly branch?: string | undefined;
  /** By name, or a surface of your own. Default: `memory`. */
  readonly surface?: string | Surface | undefined;
  readonly settings?: ((graph: string) => SurfaceSettings) | undefined;
  /** Default: the user who runs the process. */
  readonly actor?: Actor | undefined;
  /** Milliseconds a tool that only reads may take. Default: as for a server. */
  readonly readMs?: number | undefined;
  /** Receives errors that no response reports; default: stderr. */
  readonly report?: ((error: unknown) => void) | undefined;
}

/** For the person at this machine. */
export async function localRequestContext(options: SessionOptions): Promise<RequestContext> {
  const { store, surface = 'memory', report = reportOnStderr } = options;
  const graph = new Graph(store, options.graph ?? defaultGraph, {
    ...(options.branch === undefined ? {} : { branch: options.branch }),
    report,
  });
  const settings = options.settings?.(graph.name) ?? {};
  return {
    surface:
      typeof surface === 'object'
        ? surface
        : await openSurface(surface, { store, graph, settings, warn: warnOnStderr }),
    actor: options.actor ?? localActor(),
    requestId: '',
    calls: new InFlight(),
    graph,
    may: allowAll,
    server: { version: packageVersion(), graphs: () => graphNames(store) },
    clock: systemClock,
    isRemote: false,
    report,
    readMs: settings.limits?.readMs ?? options.readMs ?? defaultLimits.readMs,
  };
}

export function defectStack(thrown: unknown): string | undefined {
  const cause = thrown instanceof TrellisError && thrown.code === 'INTERNAL' ? thrown.cause : undefined;
  return cause instanceof Error ? cause.stack : undefined;
}

/** The stack of a defect of ours, else the text of the error. */
export function reportOnStderr(thrown: unknown): void {
  warnOnStderr(defectStack(thrown) ?? errorText(asTrellisError(thrown)));
}
