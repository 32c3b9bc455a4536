/** Every code an answer, an exit message or a log line can carry, with the one sentence `docs/errors.md` explains. */
export const errorCodes = {
  INVALID_ARGUMENT: 'An argument has the wrong shape, size or characters.',
  NOT_FOUND: 'Something the request names does not exist.',
  NODE_EXISTS: 'A node with this name already exists.',
  ENTITY_EXISTS: 'An entity with this name already exists.',
  EDGE_EXISTS: 'An edge of this type already exists between these nodes.',
  AMBIGUOUS_NAME: 'Several nodes have this name, and a write must identify one of them.',
  GRAPH_NOT_FOUND: 'No graph has this name.',
  GRAPH_EXISTS: 'A graph with this name already exists.',
  CONFIRMATION_NEEDED: 'The request destroys data and must be confirmed.',
  BRANCH_NOT_FOUND: 'No branch of the graph has this name.',
  BRANCH_EXISTS: 'A branch with this name already exists.',
  BRANCH_IN_USE: 'The branch cannot be deleted: it is main, or others were forked from it.',
  COMMIT_NOT_FOUND: 'The graph has no such commit.',
  SCHEMA_INVALID: 'The schema is invalid.',
  SCHEMA_VIOLATION: 'The write does not fit the schema of the graph.',
  QUERY_INVALID: 'The query is invalid.',
  QUERY_NOT_FOUND: 'The graph has no stored query of this name.',
  STORED_QUERY_INVALID: 'A stored query is invalid, so its graph is not served.',
  SCHEMA_DATA_LOSS: 'The new schema would lose data, and the request does not allow that.',
  SCHEMA_UNSUPPORTED: 'The new schema contains a change that cannot be applied to existing rows.',
  SCHEMA_BREAKS_QUERY: 'The new schema would break a stored query.',
  SCHEMA_SOURCE_UNAVAILABLE: 'The schema source cannot be read.',
  SCHEMA_UNKNOWN_LABEL: 'The label or relationship type is not in the schema.',
  SCHEMA_PROTECTED_FIELD: 'The write sets a field that only the gate may set.',
  SCHEMA_MISSING_REQUIRED_PROPERTY: 'The write lacks a property that the schema requires.',
  SCHEMA_TYPE_MISMATCH: 'A property is not of the type the schema declares.',
  SCHEMA_ENDPOINT_MISMATCH: 'The schema does not allow this relationship between these labels.',
  ENDPOINT_NOT_FOUND: 'An end of the relationship does not exist.',
  INVALID_EXTRACTION_METHOD: 'The extraction method is not one the formula knows.',
  FORMULA_INVALID_OUTPUT: 'The formula did not return a confidence between 0 and 1.',
  AMBIGUOUS_MERGE: 'Several nodes match the merge keys, and a write must identify one of them.',
  CONFLICT_HIGHER_CONFIDENCE: 'The write would replace a value of higher confidence.',
  CHANGED_SINCE: 'Somebody changed the node after the commit that the write names; nothing was written.',
  HEAD_MOVED: 'The branch is not at the commit that the write names; nothing was written.',
  COMMIT_COLLECTED: 'The state after this commit was garbage-collected.',
  MERGE_CONFLICT: 'Two branches changed the same thing in different ways; nothing was merged.',
  UNKNOWN_TOOL: 'The surface has no tool of this name.',
  UNKNOWN_RESOURCE: 'The surface has no resource at this address.',
  LIMIT_EXCEEDED: 'The request or its result is larger than a stated bound.',
  QUERY_TIMEOUT: 'The query exceeded its time limit.',
  CAPABILITY_MISSING: 'This kind of store does not support the operation.',
  STORE_UNAVAILABLE: 'The store cannot be opened, read or written.',
  STORE_BUSY: 'Other processes held the lock of the store longer than the wait limit.',
  STORE_FULL: 'The disk or the quota is full; nothing was written.',
  STORE_READ_ONLY: 'The store can be read but not written.',
  STORE_CORRUPT: 'The store is damaged.',
  STORE_TOO_NEW: 'The store was written by a newer version of Trellis.',
  NOT_A_STORE: 'The file is not one Trellis can read.',
  EMBEDDER_UNAVAILABLE: 'The embedder cannot be reached, or returned an invalid response.',
  FORBIDDEN: 'The actor is not allowed to do this.',
  UNAUTHENTICATED: 'The request has no valid token.',
  SIGN_IN_FAILED: 'The identity provider or the server refused a sign-in in the browser.',
  IDENTITY_PROVIDER_UNAVAILABLE: 'The identity provider cannot be reached, or does not answer as it should.',
  SERVER_UNAVAILABLE: 'The server cannot be reached, or what answers is not Trellis.',
  CREDENTIALS_UNAVAILABLE: 'The token for a server is unavailable.',
  TOKENS_INVALID: 'The token file is invalid.',
  POLICY_INVALID: 'The policy is invalid.',
  ADDRESS_UNAVAILABLE: 'The server cannot listen on the configured address.',
  CANCELLED: 'The client cancelled the request.',
  SERVER_BUSY: 'The server is at capacity; nothing was done.',
  STOPPED: 'The server is shutting down and accepts no new requests.',
  USAGE: 'The command line or an environment variable is wrong.',
  CONFIG_INVALID: 'The configuration file cannot be read, or something in it or in a file it names is wrong.',
  INTERNAL: 'A defect in Trellis; nothing was written.',
} as const;

export type ErrorCode = keyof typeof errorCodes;

/** Errors about this machine, not about what a client sent: unless they say otherwise, their messages are private. */
const privateCodes: ReadonlySet<ErrorCode> = new Set([
  'STORE_UNAVAILABLE',
  'STORE_BUSY',
  'STORE_FULL',
  'STORE_READ_ONLY',
  'STORE_CORRUPT',
  'STORE_TOO_NEW',
  'NOT_A_STORE',
  'SCHEMA_SOURCE_UNAVAILABLE',
  'STORED_QUERY_INVALID',
  'EMBEDDER_UNAVAILABLE',
  'CONFIG_INVALID',
  'POLICY_INVALID',
  'TOKENS_INVALID',
  'USAGE',
  'INTERNAL',
]);

/** A text for the operator and for people on this machine, and what clients on other machines see instead. */
export interface RedactableText {
  readonly message: string;
  readonly publicMessage: string;
}

export interface ErrorOptions {
  /** What to do next, in one sentence. Public: it names no file or address of this machine. */
  readonly hint?: string;
  /**
   * What clients on other machines see instead of the message, which may then name files, addresses, statements or other
   * graphs. Left out: the message itself, or the sentence of its code if that is private.
   */
  readonly publicMessage?: string | undefined;
  /** Facts a program can use. Whoever sees the public message alone does not see them. */
  readonly details?: Readonly<Record<string, unknown>>;
  readonly cause?: unknown;
  /** What whoever may not read the graph is told instead, where the error speaks of what is stored. */
  readonly withoutRead?: RedactedText;
}

export interface RedactedText {
  readonly message: string;
  readonly hint?: string;
}

/** The one error class: thrown anywhere, turned once, at the edge, into what the transport speaks. */
export class TrellisError extends Error implements RedactableText {
  override readonly name = 'TrellisError';
  readonly code: ErrorCode;
  readonly publicMessage: string;
  readonly hint: string | undefined;
  readonly details: Readonly<Record<string, unknown>> | undefined;
  readonly withoutRead: RedactedText | undefined;

  constructor(code: ErrorCode, message: string, options: ErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.publicMessage = options.publicMessage ?? (privateCodes.has(code) ? errorCodes[code] : message);
    this.hint = options.hint;
    this.details = options.details;
    this.withoutRead = options.withoutRead;
  }
}

/** Gives any thrown value the shape the edges report; what is not ours is a defect. */
export function asTrellisError(thrown: unknown): TrellisError {
  if (thrown instanceof TrellisError) return thrown;
  return new TrellisError('INTERNAL', reasonOf(thrown), { cause: thrown });
}

/** What a thrown value says went wrong. */
export function reasonOf(thrown: unknown): string {
  if (thrown instanceof Error) return thrown.message;
  try {
    return String(thrown);
  } catch {
    return 'something that is not an error was thrown';
  }
}
