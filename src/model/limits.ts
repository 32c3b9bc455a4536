/** The bounds on what enters; every refusal names the one it met. */
export const limits = {
  /** Characters in the name of a node or the type of a node or an edge. */
  nameLength: 4_096,
  /** Characters in one observation, summary or property text. */
  textLength: 10_485_760,
  /** Items in one batch of a tool call. */
  batchItems: 10_000,
  /** Characters in a search query. */
  queryLength: 2_048,
  /** Bytes in one request. */
  requestBytes: 16_777_216,
} as const;
