import { writeFile } from 'node:fs/promises';
import { TrellisError } from '../../model/error.js';
import { surfaceNames } from '../../surfaces/registry.js';

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

# A language model that drafts the texts of consolidation reports. Observations are sent to it.
#llm:
#  provider: ollama
#  model: llama3.2
#  url: http://127.0.0.1:11434
#  api_key_env: LLM_API_KEY

# Graphs by name; each is made at the start if it is not there. With one, it is what agents are given.
#graphs:
#  work:
# The tools that agents are shown on it, one of: ${surfaceNames.join(', ')}.
#    surface: memory
# What is said above under schemas and gate can be said here for this graph alone.
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
    const reason = error instanceof Error ? error.message : String(error);
    throw new TrellisError('INVALID_ARGUMENT', `Cannot write ${path}: ${reason}`, {
      hint: 'Name a folder that is there and may be written.',
      cause: error,
    });
  }
}
