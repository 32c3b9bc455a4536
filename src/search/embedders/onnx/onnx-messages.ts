import type { TextKind } from '../embedder.js';

/** What the program asks of the process with the model. */
export interface EmbedRequest {
  readonly request: number;
  readonly texts: readonly string[];
  readonly kind: TextKind;
}

/** Why the model cannot be used. */
export interface StartFailure {
  readonly message: string;
  readonly hint: string;
}

/** The first message of the process is `ready` or `failure`. */
export type OnnxResponse =
  | { readonly ready: { readonly id: string; readonly dimension: number } }
  | { readonly failure: StartFailure }
  | { readonly request: number; readonly vectors: readonly Float32Array[] }
  | { readonly request: number; readonly error: string };
