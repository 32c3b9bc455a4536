/** How much one actor may ask of a server, and for how long a request may take. */
export interface ServerLimits {
  /** Requests a minute that one actor may send on average; bursts of a quarter of that are let through. */
  readonly requestsPerMinute: number;
  /** Requests of one actor that run at the same time; as many streams over SSE it may have. */
  readonly concurrency: number;
  /** Milliseconds a request may take to arrive. */
  readonly arrivalMs: number;
  /** Milliseconds a tool that only reads may take. */
  readonly readMs: number;
  /** Levels of objects and lists within each other in a request. */
  readonly depth: number;
  /** Streams over SSE that are open at the same time, and clients that listen for changes at one address. */
  readonly streams: number;
}

export const defaultLimits: ServerLimits = {
  requestsPerMinute: 6_000,
  concurrency: 64,
  arrivalMs: 30_000,
  readMs: 30_000,
  depth: 64,
  streams: 256,
};
