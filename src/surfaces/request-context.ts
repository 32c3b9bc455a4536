import type { Actor } from '../access/actor.js';
import type { PermissionCheck } from '../access/permission.js';
import type { InFlight } from '../bounds/in-flight.js';
import type { Graph } from '../engine/graph.js';
import type { Clock } from '../model/clock.js';
import type { ErrorCode } from '../model/error.js';
import type { DeniedCall } from './report-denials.js';
import type { Surface } from './surface.js';

/** A class, so that what the SDK passes through can be recognized. */
export class RequestOrigin {
  readonly actor: Actor;
  readonly requestId: string;
  readonly calls: InFlight;
  /** Aborted when the sender hangs up. */
  readonly signal?: AbortSignal | undefined;

  constructor(actor: Actor, requestId: string, calls: InFlight, signal?: AbortSignal) {
    this.actor = actor;
    this.requestId = requestId;
    this.calls = calls;
    this.signal = signal;
  }
}

/** Who asks, for which graph and branch, through which surface, until when. */
export interface RequestContext extends RequestOrigin {
  readonly graph: Graph;
  readonly surface: Surface;
  readonly may: PermissionCheck;
  readonly server: ServerInfo;
  readonly clock: Clock;
  /** The MCP client, as `name/version`, if it says so. */
  readonly client?: string | undefined;
  /** Whether the MCP client shows MCP Apps, if that is known. */
  readonly showsApps?: boolean | undefined;
  /** Whether the client may be on another machine. */
  readonly isRemote: boolean;
  /** How long a read may take, in milliseconds. */
  readonly readMs?: number;
  /** See `CallContext.stopping`. */
  readonly stopping?: AbortSignal | undefined;
  /** Takes errors with their private text. */
  readonly report: (error: unknown) => void;
  readonly onCall?: (outcome: CallOutcome) => void;
  readonly onDenied?: (denied: DeniedCall) => void;
}

export interface ServerInfo {
  readonly version: string;
  graphs(): Promise<readonly string[]>;
}

export interface CallOutcome {
  readonly surface: string;
  readonly graph: string;
  readonly actor: string;
  /** Undefined if the tool does not exist or is hidden from the actor. */
  readonly tool: string | undefined;
  readonly metricName?: string;
  readonly milliseconds: number;
  readonly code?: ErrorCode;
}
