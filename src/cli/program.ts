import { Command } from 'commander';
import { packageVersion } from '../server/package-version.js';

/** A file that says what one command takes and does. */
export interface CommandModule {
  define(command: Command): void;
}

interface CommandEntry {
  readonly summary: string;
  readonly load: () => Promise<CommandModule>;
}

const commands: Readonly<Record<string, CommandEntry>> = {
  stdio: {
    summary: 'serve one agent over standard input and output',
    load: () => import('./stdio-command.js'),
  },
  serve: {
    summary: 'serve any number of agents over HTTP',
    load: () => import('./serve-command.js'),
  },
  proxy: {
    summary: 'let a client that starts programs use a server over HTTP',
    load: () => import('./proxy-command.js'),
  },
  graph: {
    summary: 'create, list, rename and delete graphs',
    load: () => import('./graph-command.js'),
  },
  token: {
    summary: 'make, list and revoke the tokens that let agents in',
    load: () => import('./token-command.js'),
  },
  policy: {
    summary: 'check a policy, and show what it allows',
    load: () => import('./policy-command.js'),
  },
  config: {
    summary: 'check the configuration',
    load: () => import('./config-command.js'),
  },
  branch: {
    summary: 'list, create, merge and delete branches',
    load: () => import('./branch-command.js'),
  },
  log: {
    summary: 'list the commits of a branch',
    load: () => import('./log-command.js'),
  },
  show: {
    summary: 'show a commit and what it changed',
    load: () => import('./show-command.js'),
  },
  diff: {
    summary: 'show what turns one branch or commit into another',
    load: () => import('./diff-command.js'),
  },
  undo: {
    summary: 'take commits back by a new one',
    load: () => import('./undo-command.js'),
  },
  gc: {
    summary: 'drop old versions that nothing can see any more',
    load: () => import('./gc-command.js'),
  },
  purge: {
    summary: 'take a secret out of every version of everything',
    load: () => import('./purge-command.js'),
  },
  query: {
    summary: 'ask a graph in the query language',
    load: () => import('./query-command.js'),
  },
  mutate: {
    summary: 'change a graph in the query language',
    load: () => import('./mutate-command.js'),
  },
  lint: {
    summary: 'check files of schemas and queries',
    load: () => import('./lint-command.js'),
  },
  import: {
    summary: 'read a JSON lines file into a store',
    load: () => import('./import-command.js'),
  },
  ingest: {
    summary: 'read many nodes and edges into a graph as one commit',
    load: () => import('./ingest-command.js'),
  },
  export: {
    summary: 'write a graph as JSON lines',
    load: () => import('./export-command.js'),
  },
  copy: {
    summary: 'copy graphs from one store to another, with their history',
    load: () => import('./copy-command.js'),
  },
  backup: {
    summary: 'write a copy of a store while it is in use',
    load: () => import('./backup-command.js'),
  },
  embed: {
    summary: 'give every text a vector, so that it is found by its meaning',
    load: () => import('./embed-command.js'),
  },
  init: {
    summary: 'write a configuration file, or sample schemas, to start from',
    load: () => import('./init-command.js'),
  },
  schema: {
    summary: 'check schema files, apply them, and say what the write gate lets in',
    load: () => import('./schema-command.js'),
  },
  gate: {
    summary: 'see what the write gate turned away',
    load: () => import('./gate-command.js'),
  },
  doctor: {
    summary: 'show what is in force and where the data is, and check it',
    load: () => import('./doctor-command.js'),
  },
};

export const commandNames: readonly string[] = Object.keys(commands);

const overview = `
Start here:
  $ trellis serve                                 a memory for every agent on this machine
  $ claude mcp add trellis -- trellis stdio       or let one client start it itself
  $ trellis doctor                                where is my data, and is it sound?

Where the data is:
  --file F or --store S if given, else MEMORY_FILE_PATH or TRELLIS_STORE, else store: in the
  configuration file, else trellis.db in $XDG_DATA_HOME/trellis (~/.local/share/trellis; on macOS
  ~/Library/Application Support/trellis; on Windows %LOCALAPPDATA%\\trellis). A path ending in .db
  is an SQLite database, one ending in .jsonl or .json a file of JSON lines that other memory
  servers read too.

Environment:
  TRELLIS_STORE          where the data is: a path ending in .db, .jsonl or .json
  MEMORY_FILE_PATH       the same for a JSON lines file, as other memory servers call it
  TRELLIS_GRAPH          which graph (default: default)
  TRELLIS_SURFACE        which set of tools an agent is shown (default: memory)
  TRELLIS_SERVER_HOST    where serve listens (default: 127.0.0.1)
  TRELLIS_SERVER_PORT    and on which port (default: 8765)
  TRELLIS_SCHEMAS        the folder of .schema.json files for the mesh surface
  TRELLIS_GATE_SCHEMA    the file that says what the gate surface lets in
  WRITE_GATE_UNKNOWN_LABEL_POLICY  what becomes of a label it does not know: remap or reject
  TRELLIS_EMBEDDING_PROVIDER
                         what turns texts into vectors: local, ollama, openai, transformers, none
                         (default: local); with TRELLIS_EMBEDDING_MODEL, TRELLIS_EMBEDDING_URL and
                         TRELLIS_EMBEDDING_API_KEY_ENV, the variable that holds the key
  TRELLIS_TOKEN          the token that proxy sends; TRELLIS_TOKEN_<NAME> for a server by its name
  TRELLIS_CONFIG         the configuration file (default: trellis.yaml in the working directory)
  Flags win over the environment, and that over the configuration file.

Exit codes: 0 done, 1 refused or failed, 2 wrong usage.
`;

/**
 * Builds the command line. Only the commands named in `wanted` are loaded, since an agent waits for `trellis stdio` to
 * start; the others are known by name and summary alone.
 */
export async function buildProgram(wanted: readonly string[]): Promise<Command> {
  const program = new Command('trellis')
    .description('A knowledge-graph memory for AI agents, spoken to over the Model Context Protocol.')
    .version(packageVersion(), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .addHelpText('after', overview)
    .showSuggestionAfterError()
    .exitOverride();
  for (const [name, { summary, load }] of Object.entries(commands)) {
    const command = program.command(name).summary(summary).description(sentence(summary));
    if (wanted.includes(name)) (await load()).define(command);
  }
  return program;
}

function sentence(summary: string): string {
  return `${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`;
}
