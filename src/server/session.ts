import { type Actor, localActor } from '../access/actor.js';
import { Graph } from '../engine/graph.js';
import { asTrellisError } from '../model/error.js';
import { defaultGraph } from '../model/graph.js';
import type { Store } from '../store/contract.js';
import { warnOnStderr } from '../store/options.js';
import type { Binding } from '../surfaces/dispatch.js';
import { errorText } from '../surfaces/dispatch.js';
import { mayEverything } from '../surfaces/permission.js';
import { surfaceNamed } from '../surfaces/registry.js';
import type { Surface } from '../surfaces/surface.js';

/** What a server shows, and to whom. The store stays the caller's: whoever opened it closes it. */
export interface SessionOptions {
  readonly store: Store;
  /** Default: `default`. */
  readonly graph?: string | undefined;
  /** Default: `main`. */
  readonly branch?: string | undefined;
  /** By name, or one of one's own. Default: `memory`. */
  readonly surface?: string | Surface | undefined;
  /** Default: whoever runs the process. */
  readonly actor?: Actor | undefined;
  /** Told of what went wrong beside the answers; the default writes a line on stderr. */
  readonly report?: ((error: unknown) => void) | undefined;
}

/** Puts a surface on a graph of the store. */
export function bind(options: SessionOptions): Binding {
  const report = options.report ?? reportOnStderr;
  return {
    surface:
      typeof options.surface === 'object' ? options.surface : surfaceNamed(options.surface ?? 'memory'),
    graph: new Graph(options.store, options.graph ?? defaultGraph, {
      ...(options.branch === undefined ? {} : { branch: options.branch }),
      report,
    }),
    actor: options.actor ?? localActor(),
    may: mayEverything,
    report,
  };
}

function reportOnStderr(thrown: unknown): void {
  warnOnStderr(errorText(asTrellisError(thrown)));
}
