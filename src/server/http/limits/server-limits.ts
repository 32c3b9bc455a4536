export interface ServerLimits {
  /** Average per actor; bursts of a quarter of that are admitted. A batch counts as its calls. */
  readonly requestsPerMinute: number;
  /** Running requests per actor, and as many open streams. */
  readonly concurrency: number;
  readonly arrivalMs: number;
  /** The receiver must take some of a response within this time. */
  readonly sendMs: number;
  /** Unread responses to one actor. */
  readonly unsentBytes: number;
  /** Unread responses to everybody. */
  readonly unsentBytesTotal: number;
  /** For tools that only read. */
  readonly readMs: number;
  readonly depth: number;
  /** Open streams of all actors: SSE, clients listening for changes, change feeds. */
  readonly streams: number;
}

export const defaultLimits: ServerLimits = {
  requestsPerMinute: 6_000,
  concurrency: 64,
  arrivalMs: 30_000,
  sendMs: 60_000,
  unsentBytes: 67_108_864,
  unsentBytesTotal: 268_435_456,
  readMs: 30_000,
  depth: 64,
  streams: 1_024,
};
