import type { Json } from './json.js';

export interface RejectionDraft {
  /** An error code. */
  readonly code: string;
  readonly tool: string;
  readonly actor: string;
  /** Milliseconds since 1970. */
  readonly time: number;
  readonly message: string;
  /** What the tool was called with, truncated. */
  readonly arguments: Json;
  readonly details: Json;
}

/** A write that the gate refused; kept beside the graph, outside its history. */
export interface Rejection extends RejectionDraft {
  /** Increasing within a graph. */
  readonly id: number;
}
