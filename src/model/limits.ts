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
  requestBytes: 8_388_608,
  /** Characters in the text of one answer: the data is in it twice, and clients end a session over 10 MiB. */
  answerLength: 4_194_304,
  /** Rejected writes that are kept of each graph; the oldest go first. */
  keptRejections: 10_000,
} as const;

/** The bounds on what says who may do what. */
export const accessLimits = {
  /** Characters in a bearer token; Node takes 16,384 bytes of headers in all. */
  tokenLength: 12_288,
  /** Characters in the name of an actor, a group or a tenant. */
  identityLength: 256,
  /** Groups of one actor. */
  groups: 1_000,
  /** Bytes in a file of tokens, of policy or of keys, and in an answer of an identity provider. */
  fileBytes: 1_048_576,
  /** Rules in one policy. */
  rules: 1_000,
} as const;

/** The bounds on schema files: what stands in them is shown to agents with every list of tools. */
export const meshSchemaLimits = {
  /** Schema files in one folder. */
  files: 500,
  /** Bytes in one file. */
  fileBytes: 1_048_576,
  /** Characters in the type of a node: with `update_` before it, it is the name of a tool, and those end at 64. */
  typeLength: 57,
  /** Properties of one schema. */
  properties: 100,
  /** Characters in the name of a property, or in the type of an edge or of the node it leads to. */
  nameLength: 60,
  /** Characters in a description. */
  descriptionLength: 2_000,
  /** Values in one enum. */
  enumValues: 200,
  /** Characters in one of them. */
  enumValueLength: 200,
} as const;

/** The bounds on a configuration file. */
export const configLimits = {
  /** Bytes in the file. */
  fileBytes: 65_536,
  /** Levels of blocks and lists inside one another. */
  depth: 20,
  /** Values that aliases may stand for, all in all. */
  aliases: 100,
} as const;

/** The bounds on what a go-between takes from a server and its user's machine. */
export const proxyLimits = {
  /** Bytes in one answer of the server. */
  answerBytes: 67_108_864,
  /** Bytes in the file of credentials, and in what a command prints that is asked for a token. */
  credentialBytes: 65_536,
  /** Milliseconds such a command may take. */
  commandMs: 30_000,
} as const;

/** The bounds on what the write gate takes. */
export const gateLimits = {
  /** Members of the properties, or the keys, of one write. */
  properties: 1_000,
  /** Levels of lists and maps in one property. */
  propertyDepth: 32,
  /** Bytes in a file that holds a gate's schema. */
  registryFileBytes: 1_048_576,
} as const;

/** The bounds on what the workspace surface looks at and answers. */
export const workspaceLimits = {
  /** Hops of a neighbourhood, unless the configuration says otherwise. */
  depth: 6,
  /** Hops that it may say. */
  maxDepth: 32,
  /** Nodes that a search for a neighbourhood or a path looks at. */
  visitedNodes: 100_000,
  /** Tags of one node. */
  tags: 1_000,
  /** Days that recent changes are looked for. */
  days: 36_500,
  /** Items in each part of a consolidation report. */
  reportItems: 1_000,
  /** Edges that clusters are made of. */
  clusteredEdges: 500_000,
} as const;

/** Bounds of how many ways a text is looked at: each costs a vector for every text. */
export const perspectiveLimits = {
  perspectives: 16,
  instructionLength: 1_000,
} as const;

/** The bounds on what is ingested at once: all of it is one commit. */
export const ingestLimits = {
  /** Bytes in the body of one request. */
  requestBytes: 67_108_864,
  /** Bytes in one file on the command line. */
  fileBytes: 268_435_456,
  /** Bytes in one line. */
  lineBytes: 16_777_216,
} as const;

/** The bounds on texts in the schema language and the query language. */
export const languageLimits = {
  /** Characters in one text: parsing it keeps everybody else waiting. */
  sourceLength: 262_144,
  /** Levels of brackets inside one another. */
  depth: 100,
} as const;

/** The bounds on the schema of a graph. */
export const graphSchemaLimits = {
  /** Types in one schema: interfaces, nodes and edges. */
  types: 2_000,
  /** Properties of one type. */
  properties: 500,
  /** Characters in the name of a type or a property. */
  nameLength: 200,
  /** Values in one enum. */
  enumValues: 1_000,
  /** Characters in one of them. */
  enumValueLength: 200,
  /** Numbers in one vector. */
  vectorDimension: 16_000,
  /** Values in one list. */
  listItems: 100_000,
  /** Properties in one key, unique or index. */
  members: 16,
  /** Characters in the pattern of a check. */
  patternLength: 1_000,
  /** Instructions that the pattern of a check compiles to, such as 2,004 for `^.{0,1000}$`. */
  patternInstructions: 2_500,
  /** The same of all patterns of a schema. */
  schemaPatternInstructions: 25_000,
  /** Instructions of a pattern times characters of a text that is checked. */
  patternSteps: 2_500_000,
} as const;

/** The bounds on a query, whatever it reads. */
export const queryLimits = {
  /** Hops of one traversal. */
  hops: 10,
  /** Rows of one answer, unless it is told otherwise, and the largest limit that can be asked for. */
  rows: 10_000,
  /** Rows of one answer, whatever it is told. */
  maxRows: 100_000,
  /** Rows that may have the words of one search. */
  textRows: 1_000_000,
  /** Parameters of one query. */
  parameters: 64,
  /** Variables of one query, with those of its inner blocks. */
  variables: 24,
  /** Conditions of one query. */
  conditions: 256,
  /** Columns of one answer. */
  columns: 100,
  /** Keys of an order. */
  orderKeys: 16,
  /** Statements of one mutation. */
  statements: 1_000,
  /** Milliseconds that the statements of one mutation may take before the next one begins: others wait to write. */
  mutationMs: 30_000,
  /** Letters that a fuzzy match may differ by. */
  edits: 3,
} as const;
