/** What a client may assume about a tool before it is called. */
export interface ToolAnnotations {
  readonly readOnlyHint: boolean;
  readonly destructiveHint: boolean;
  readonly idempotentHint: boolean;
  readonly openWorldHint: false;
}

export const adds: ToolAnnotations = {
  readOnlyHint: false,
  destructiveHint: false,
  idempotentHint: false,
  openWorldHint: false,
};

export const reads: ToolAnnotations = { ...adds, readOnlyHint: true, idempotentHint: true };

/** A second call with the same arguments changes nothing more. */
export const deletes: ToolAnnotations = { ...adds, destructiveHint: true, idempotentHint: true };
export const replaces: ToolAnnotations = deletes;

/** Every call changes something anew. */
export const changes: ToolAnnotations = { ...adds, destructiveHint: true };

/** Changes what the server knows, not the graph. */
export const refreshes: ToolAnnotations = { ...adds, idempotentHint: true };
