/** How much one actor may ask of a server, and for how long a request may take. */
export interface ServerLimits {
  /** Requests a minute that one actor may send on average; bursts of a quarter of that are let through. A batch is as many as its calls. */
  readonly requestsPerMinute: number;
  /** Requests of one actor that run at the same time; as many streams over SSE it may have. */
  readonly concurrency: number;
  /** Milliseconds a request may take to arrive. */
  readonly arrivalMs: number;
  /** Milliseconds in which something of an answer has to be taken by its receiver. */
  readonly sendMs: number;
  /** Bytes of answers to one actor that wait to be read. */
  readonly unsentBytes: number;
  /** Bytes of answers to everybody that wait to be read. */
  readonly unsentBytesTotal: number;
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
  sendMs: 60_000,
  unsentBytes: 67_108_864,
  unsentBytesTotal: 268_435_456,
  readMs: 30_000,
  depth: 64,
  streams: 256,
};
