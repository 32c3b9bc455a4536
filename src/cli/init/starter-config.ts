import { writeFile } from 'node:fs/promises';
import { reasonOf, TrellisError } from '../../model/error.js';
import { surfaceNames } from '../../surfaces/surface-registry.js';

export const starterConfig = `# The configuration of Trellis. Remove the # from what you want to change; everything is optional.
# Flags and environment variables override this file. Check it with: trellis config check
# Every key is explained in docs/configuration.md. Relative paths start from this file.

# Where the data is: a path ending in .db, .jsonl or .json, or a postgres:// URL.
# Without it, the data is in your data directory: trellis doctor says where.
#store: ./trellis.db

# Where trellis serve listens.
#server:
#  host: 127.0.0.1
#  port: 8765
# Where clients reach it, if that is another address: behind a proxy, say.
#  public_url: https://memory.example.com
# Further host names that clients may use, and web pages that may call it.
#  allowed_hosts: [memory.internal]
#  allowed_origins: ["https://app.example.com"]
# What to log on standard error: silent, error, warn, info (every call) or debug (every request).
#  log: warn
# Limits: requests of one actor, how long a request may take, and how deep it may be nested.
#  limits:
#    requests_per_minute: 6000
#    concurrency: 64
#    arrival_ms: 30000
#    read_ms: 30000
#    depth: 64
#    streams: 256

# Who may connect over HTTP. Without this, only this machine can.
#auth:
# Tokens from trellis token create; instead of a file, { env: NAME } names a variable with the same text.
#  tokens: { file: tokens.json }
# Tokens of an identity provider; docs/access.md has the other keys.
#  oidc: { issuer: "https://login.example.com", audience: "https://memory.example.com" }

# What they may do. Without this, actors with a token may do nothing.
#policy:
#  file: policy.yaml
# For a policy in Cedar: the protected branches.
#  protected_branches: [main]

# The folder of mesh schemas (.schema.json).
#schemas: ./schemas

# What the write gate accepts.
#gate:
# The gate registry: graph (kept in the graph), schema (the folder above), a YAML or JSON file, or a module.
#  registry: graph
# An unknown label is written as the fallback label (remap), or rejected (reject).
#  unknown_label_policy: remap
#  fallback_label: Thing
# How confidence is computed: default, flat, admiralty, stix, or a module such as ./formula.js.
#  formula: default
# A value that would replace one of higher confidence is written with a warning (warn), rejected (reject), or left out (keep).
#  conflicts: warn

# What computes vectors for the workspace surface: local, ollama, openai, transformers or none.
#embedding:
#  provider: local

# A language model that drafts the texts of consolidation reports. Observations are sent to it.
#llm:
#  provider: ollama
#  model: llama3.2
#  url: http://127.0.0.1:11434
#  api_key_env: LLM_API_KEY

# What agents see of the query language: ad-hoc queries, and stored queries as one tool each, as the pair
# stored_query_list and stored_query_run, or (auto) depending on their number.
#mcp:
#  allow_adhoc: false
#  stored_query_tools: auto

# Servers that trellis proxy finds by name. Tokens never go here: name a variable or a command that provides one.
#servers:
#  team: { endpoint: "https://memory.example.com", auth: { token: { env: TEAM_TOKEN } } }

# Graphs by name; missing ones are created at start. If there is one, agents get it.
#graphs:
#  work:
# The surface that agents see, one of: ${surfaceNames.join(', ')}.
#    surface: memory
# The graph schema, applied while the graph is empty, and stored queries by name.
#    schema: work.pg
#    queries:
#      find_user: { file: queries/find_user.gq, mcp: { expose: true, tool_name: find_user } }
# policy, schemas and gate can also be set for one graph.
#    policy:
#      file: work-policy.yaml
#      protected_branches: [main]
#    schemas: ./schemas
#    gate:
#      unknown_label_policy: reject
`;

export async function writeStarterConfig(path: string): Promise<void> {
  try {
    await writeFile(path, starterConfig, { flag: 'wx' });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'EEXIST') {
      throw new TrellisError('INVALID_ARGUMENT', `${path} already exists and was not changed.`, {
        hint: `Edit it, and check it with: trellis config check ${path}`,
        cause: error,
      });
    }
    const reason = reasonOf(error);
    throw new TrellisError('INVALID_ARGUMENT', `Cannot write ${path}: ${reason}`, {
      hint: 'Name an existing, writable folder.',
      cause: error,
    });
  }
}
