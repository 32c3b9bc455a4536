import type { Json } from './json.js';

/** A write that was not let in, as it is handed over to be kept. */
export interface RejectionDraft {
  /** Why, as an error code. */
  readonly code: string;
  readonly tool: string;
  readonly actor: string;
  /** Milliseconds since 1970. */
  readonly time: number;
  readonly message: string;
  /** What the tool was called with; whoever hands it over has cut it short. */
  readonly arguments: Json;
  readonly details: Json;
}

/** A write that was not let in. It is kept beside the graph: no commit, no part of its history. */
export interface Rejection extends RejectionDraft {
  /** Increasing within a graph. */
  readonly id: number;
}
