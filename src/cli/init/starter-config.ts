import { writeFile } from 'node:fs/promises';
import { reasonOf, TrellisError } from '../../model/error.js';
import { surfaceNames } from '../../surfaces/surface-registry.js';

/** A configuration that says nothing yet: every setting is there, with its default, behind a #. */
export const starterConfig = `# The configuration of Trellis. Take the # away from what you want to change; nothing here is needed.
# Flags and environment variables win over this file. Check it with: trellis config check
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
# Further names that clients may ask for it by, and web pages that may call it.
#  allowed_hosts: [memory.internal]
#  allowed_origins: ["https://app.example.com"]
# What is logged on standard error: silent, error, warn, info (every call) or debug (every request).
#  log: warn
# What one actor may ask for, how long a request may take, and how deep it may be nested.
#  limits:
#    requests_per_minute: 6000
#    concurrency: 64
#    arrival_ms: 30000
#    read_ms: 30000
#    depth: 64
#    streams: 256

# Who may connect over HTTP. Without this, only this machine can.
#auth:
# Tokens made with trellis token create; instead of a file, { env: NAME } names a variable that holds the same text.
#  tokens: { file: tokens.json }
# Tokens of an identity provider; docs/access.md has the other keys.
#  oidc: { issuer: "https://login.example.com", audience: "https://memory.example.com" }

# What they may do. Without this, those who connect with a token may do nothing.
#policy:
#  file: policy.yaml
# For a policy in Cedar: the branches it calls protected.
#  protected_branches: [main]

# The folder of .schema.json files that the mesh surface makes tools of.
#schemas: ./schemas

# What the write gate lets in, and how.
#gate:
# The schema it checks against: graph (kept in the graph), schema (the folder above), a YAML or JSON file, or a module.
#  registry: graph
# A label the schema does not know is written as the fallback label (remap), or refused (reject).
#  unknown_label_policy: remap
#  fallback_label: Thing
# How confidence is computed: default, flat, admiralty, stix, or a module such as ./formula.js.
#  formula: default
# A value that would replace one of higher confidence is written and reported (warn), refused (reject), or left out (keep).
#  conflicts: warn

# What turns texts into vectors for the workspace surface: local, ollama, openai, transformers or none.
#embedding:
#  provider: local

# A language model that drafts the texts of consolidation reports. Observations are sent to it.
#llm:
#  provider: ollama
#  model: llama3.2
#  url: http://127.0.0.1:11434
#  api_key_env: LLM_API_KEY

# What agents are shown of the query language: queries of their own, and stored queries as one tool each, as the pair
# stored_query_list and stored_query_run, or (auto) whichever suits their number.
#mcp:
#  allow_adhoc: false
#  stored_query_tools: auto

# Servers that trellis proxy finds by their names. Tokens never stand here: name a variable or a command that has one.
#servers:
#  team: { endpoint: "https://memory.example.com", auth: { token: { env: TEAM_TOKEN } } }

# Graphs by name; each is made at the start if it is not there. With one, it is what agents are given.
#graphs:
#  work:
# The tools that agents are shown on it, one of: ${surfaceNames.join(', ')}.
#    surface: memory
# The schema of a graph that is still empty, and queries that are kept in files, by name.
#    schema: work.pg
#    queries:
#      find_user: { file: queries/find_user.gq, mcp: { expose: true, tool_name: find_user } }
# What is said above under policy, schemas and gate can be said here for this graph alone.
#    policy:
#      file: work-policy.yaml
#      protected_branches: [main]
#    schemas: ./schemas
#    gate:
#      unknown_label_policy: reject
`;

/** Writes the file, unless something of that name is there. */
export async function writeStarterConfig(path: string): Promise<void> {
  try {
    await writeFile(path, starterConfig, { flag: 'wx' });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'EEXIST') {
      throw new TrellisError('INVALID_ARGUMENT', `${path} is there already, and stays as it is.`, {
        hint: `Edit it, and check it with: trellis config check ${path}`,
        cause: error,
      });
    }
    const reason = reasonOf(error);
    throw new TrellisError('INVALID_ARGUMENT', `Cannot write ${path}: ${reason}`, {
      hint: 'Name a folder that is there and may be written.',
      cause: error,
    });
  }
}
