import type { Actor } from '../access/actor.js';
import type { PermissionCheck } from '../access/permission.js';
import type { InFlight } from '../bounds/in-flight.js';
import type { Graph } from '../engine/graph.js';
import type { Clock } from '../model/clock.js';
import type { ErrorCode } from '../model/error.js';
import type { DeniedCall } from './report-denials.js';
import type { Surface } from './surface.js';

/** Who sent a request: known before its graph is. A class, so that what the SDK hands through can be recognized. */
export class RequestOrigin {
  readonly actor: Actor;
  /** Names the request in the log. */
  readonly requestId: string;
  /** The calls that the request makes. */
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

/** Who asks, for which graph and branch, through which surface, until when: of one request, or of one connection. */
export interface RequestContext extends RequestOrigin {
  readonly graph: Graph;
  readonly surface: Surface;
  readonly may: PermissionCheck;
  readonly server: ServerInfo;
  readonly clock: Clock;
  /** Whether the client may be on another machine. */
  readonly isRemote: boolean;
  /** Milliseconds that a tool which only reads may take. */
  readonly readMs?: number;
  /** Receives what clients must not see: errors with their private text. */
  readonly report: (error: unknown) => void;
  readonly onCall?: (outcome: CallOutcome) => void;
  readonly onDenied?: (denied: DeniedCall) => void;
}

export interface ServerInfo {
  readonly version: string;
  /** The graphs the actor can reach, by name. */
  graphs(): Promise<readonly string[]>;
}

export interface CallOutcome {
  readonly surface: string;
  readonly graph: string;
  readonly actor: string;
  /** Undefined for a tool that does not exist, or is hidden from this actor. */
  readonly tool: string | undefined;
  readonly metricName?: string;
  readonly milliseconds: number;
  /** The code of the error, if the call failed. */
  readonly code?: ErrorCode;
}
