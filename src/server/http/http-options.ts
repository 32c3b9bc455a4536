import type { AccessControl } from '../../access/access-control.js';
import type { Store } from '../../store/store-contract.js';
import type { Surface, SurfaceSettings } from '../../surfaces/surface.js';
import type { Logger } from '../logger.js';
import type { AllowedHosts } from './allowed-hosts.js';
import type { ServerLimits } from './limits/server-limits.js';

/** What `/mcp` shows to a client that names no workspace: a surface of one graph, or the server itself. */
export type Root = { readonly graph: string; readonly surface: string | Surface } | 'server';

/** Where a server listens, unless it is told otherwise. */
export const defaultHost = '127.0.0.1';
export const defaultPort = 8765;

/** What a server shows, to whom, and within which bounds. The store stays the caller's. */
export interface HttpOptions {
  readonly store: Store;
  /** Default: whoever reaches it is the person who started it. */
  readonly access?: AccessControl | undefined;
  /** Default: `memory` on `default`. */
  readonly root?: Root | undefined;
  /** What the surfaces of a graph are made from. */
  readonly settings?: ((graph: string) => SurfaceSettings) | undefined;
  /** Default: 127.0.0.1; another than a loopback address needs an `access` that asks for tokens. */
  readonly host?: string | undefined;
  /** Default: 8765; 0 takes any free one. */
  readonly port?: number | undefined;
  /** Where clients reach it, if that is not where it listens. */
  readonly publicUrl?: string | undefined;
  readonly allowed?: AllowedHosts | undefined;
  readonly limits?: Partial<ServerLimits> | undefined;
  /** Default: no log. */
  readonly log?: Logger | undefined;
  /** Told of what went wrong beside the answers; the default writes a line on stderr. */
  readonly report?: ((error: unknown) => void) | undefined;
}
