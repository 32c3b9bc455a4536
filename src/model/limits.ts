/** Limits on input; every error names the limit it exceeded. */
export const limits = {
  /** Names and types of nodes, types of edges. */
  nameLength: 4_096,
  /** One observation, summary or property text. */
  textLength: 10_485_760,
  /** Items in one batch of a tool call. */
  batchItems: 10_000,
  queryLength: 2_048,
  requestBytes: 8_388_608,
  /** The text of one response: it holds the data twice, and clients end a session over 10 MiB. */
  answerLength: 4_194_304,
  /** Rejected writes kept per graph; the oldest go first. */
  keptRejections: 10_000,
} as const;

export const commitLimits = {
  messageLength: 1_000,
  /** The name of an MCP client, and its version; longer ones are cut. */
  clientLength: 100,
} as const;

export const accessLimits = {
  /** Of a bearer token; Node accepts 16,384 bytes of headers in all. */
  tokenLength: 12_288,
  /** The name of an actor, a group or a tenant. */
  identityLength: 256,
  /** Per actor. */
  groups: 1_000,
  /** A file of tokens, policy or keys, or a response of an identity provider. */
  fileBytes: 1_048_576,
  rules: 1_000,
} as const;

/** Mesh schema files: agents see their texts in every list of tools. */
export const meshSchemaLimits = {
  files: 500,
  fileBytes: 1_048_576,
  /** `update_` and the type make the name of a tool, which may have 64 characters. */
  typeLength: 57,
  properties: 100,
  /** Names of properties, types of edges and of the nodes they lead to. */
  nameLength: 60,
  descriptionLength: 2_000,
  enumValues: 200,
  enumValueLength: 200,
} as const;

export const configLimits = { fileBytes: 65_536, depth: 20, aliases: 100 } as const;

export const proxyLimits = {
  answerBytes: 67_108_864,
  /** The credentials file, or the output of a token command. */
  credentialBytes: 65_536,
  commandMs: 30_000,
} as const;

export const gateLimits = {
  /** Properties or keys of one write. */
  properties: 1_000,
  propertyDepth: 32,
  registryFileBytes: 1_048_576,
  trustRules: 100,
  /** Of the branch in a trust rule: actors and targets make it longer. */
  branchTemplate: 200,
  /** What one write may be derived from, and who may have confirmed a value. */
  sources: 100,
} as const;

export const workspaceLimits = {
  /** Hops of a neighbourhood, unless configured. */
  depth: 6,
  /** The largest depth that can be configured. */
  maxDepth: 32,
  /** Nodes that a search for a neighbourhood or a path may visit. */
  visitedNodes: 100_000,
  tags: 1_000,
  days: 36_500,
  /** Items in each part of a consolidation report. */
  reportItems: 1_000,
  clusteredEdges: 500_000,
} as const;

/** Each perspective costs a vector for every text. */
export const perspectiveLimits = { perspectives: 16, instructionLength: 1_000 } as const;

/** One ingest is one commit. */
export const ingestLimits = {
  requestBytes: 67_108_864,
  fileBytes: 268_435_456,
  lineBytes: 16_777_216,
} as const;

/** The graph schema and query languages. */
export const languageLimits = {
  /** Parsing blocks everybody else. */
  sourceLength: 262_144,
  /** Nested brackets. */
  depth: 100,
} as const;

export const graphSchemaLimits = {
  /** Interfaces, nodes and edges. */
  types: 2_000,
  properties: 500,
  nameLength: 200,
  enumValues: 1_000,
  enumValueLength: 200,
  vectorDimension: 16_000,
  listItems: 100_000,
  /** Properties in one key, unique constraint or index. */
  members: 16,
  patternLength: 1_000,
  /** Instructions a pattern compiles to, such as 2,004 for `^.{0,1000}$`. */
  patternInstructions: 2_500,
  schemaPatternInstructions: 25_000,
  /** Instructions of a pattern times characters of the checked text. */
  patternSteps: 2_500_000,
} as const;

export const queryLimits = {
  hops: 10,
  /** Rows of one response by default, and the largest limit a query can set. */
  rows: 10_000,
  /** Rows of one response in any case. */
  maxRows: 100_000,
  /** Rows that may contain the words of one search. */
  textRows: 1_000_000,
  parameters: 64,
  /** Including inner blocks. */
  variables: 24,
  conditions: 256,
  /** Aggregate blocks within each other; the SQL of some doubles with every level. */
  nestedAggregates: 3,
  columns: 100,
  orderKeys: 16,
  statements: 1_000,
  /** No statement of a mutation starts later: other writers are waiting. */
  mutationMs: 30_000,
  /** Of a fuzzy match. */
  edits: 3,
} as const;
