import type { Perspective } from '../../perspectives.js';

/** `end`: after the current batch. */
export type EmbeddingRequest =
  | { readonly embed: { readonly graph: string; readonly perspectives: readonly Perspective[] } }
  | 'end';

export type EmbeddingResponse = 'done' | { readonly failed: string };
