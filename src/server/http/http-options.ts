import type { AccessControl } from '../../access/access-control.js';
import type { Store } from '../../store/store-contract.js';
import type { Surface, SurfaceSettings } from '../../surfaces/surface.js';
import type { Logger } from '../logger.js';
import type { AllowedHosts } from './allowed-hosts.js';
import type { ServerLimits } from './limits/server-limits.js';

/** What `/mcp` serves to clients that name no workspace. */
export type Root = { readonly graph: string; readonly surface: string | Surface } | 'server';

export const defaultHost = '127.0.0.1';
export const defaultPort = 8765;

/** The caller keeps and closes the store. */
export interface HttpOptions {
  readonly store: Store;
  /** Default: everybody is the user who started the server. */
  readonly access?: AccessControl | undefined;
  /** Default: `memory` on `default`. */
  readonly root?: Root | undefined;
  readonly settings?: ((graph: string) => SurfaceSettings) | undefined;
  /** Default: 127.0.0.1; anything but loopback needs an `access` that requires tokens. */
  readonly host?: string | undefined;
  /** Default: 8765; 0 picks a free port. */
  readonly port?: number | undefined;
  readonly publicUrl?: string | undefined;
  readonly allowed?: AllowedHosts | undefined;
  readonly limits?: Partial<ServerLimits> | undefined;
  /** Proxies and clients give up connections that are silent for long; default: 15 s. */
  readonly heartbeatMs?: number | undefined;
  /** Default: no log. */
  readonly log?: Logger | undefined;
  /** Receives warnings; default: stderr. */
  readonly warn?: ((message: string) => void) | undefined;
  /** Receives errors that no response reports; default: stderr. */
  readonly report?: ((error: unknown) => void) | undefined;
}
