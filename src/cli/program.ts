import { Command } from 'commander';
import { packageVersion } from '../server/package-version.js';

interface CommandModule {
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
    summary: 'connect a stdio client to a server over HTTP',
    load: () => import('./proxy-command.js'),
  },
  graph: {
    summary: 'create, list, rename and delete graphs',
    load: () => import('./graph-command.js'),
  },
  token: {
    summary: 'create, list and revoke tokens for agents',
    load: () => import('./token-command.js'),
  },
  policy: {
    summary: 'check a policy and show what it allows',
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
    summary: 'show the differences between two branches or commits',
    load: () => import('./diff-command.js'),
  },
  undo: {
    summary: 'undo commits with a new commit',
    load: () => import('./undo-command.js'),
  },
  gc: {
    summary: 'delete old versions that no branch can see',
    load: () => import('./gc-command.js'),
  },
  purge: {
    summary: 'remove a secret from all versions',
    load: () => import('./purge-command.js'),
  },
  query: {
    summary: 'run a query',
    load: () => import('./query-command.js'),
  },
  mutate: {
    summary: 'run a mutation',
    load: () => import('./mutate-command.js'),
  },
  lint: {
    summary: 'check schema and query files',
    load: () => import('./lint-command.js'),
  },
  import: {
    summary: 'import a JSON lines file',
    load: () => import('./import-command.js'),
  },
  ingest: {
    summary: 'load many nodes and edges as one commit',
    load: () => import('./ingest-command.js'),
  },
  export: {
    summary: 'export a graph as JSON lines',
    load: () => import('./export-command.js'),
  },
  copy: {
    summary: 'copy graphs from one store to another, with their history',
    load: () => import('./copy-command.js'),
  },
  backup: {
    summary: 'back up a store while it is in use',
    load: () => import('./backup-command.js'),
  },
  embed: {
    summary: 'compute vectors so that texts can be found by meaning',
    load: () => import('./embed-command.js'),
  },
  init: {
    summary: 'write a starter configuration or sample schemas',
    load: () => import('./init-command.js'),
  },
  schema: {
    summary: 'show, plan and apply the .pg schema of a graph',
    load: () => import('./schema-command.js'),
  },
  gate: {
    summary: 'manage what the write gate accepts, and see what it rejected',
    load: () => import('./gate-command.js'),
  },
  doctor: {
    summary: 'show the settings in force and check the data',
    load: () => import('./doctor-command.js'),
  },
};

export const commandNames: readonly string[] = Object.keys(commands);

const overview = `
Start here:
  $ trellis serve                                 one memory for every agent on this machine
  $ claude mcp add trellis -- trellis stdio       or let one client start it
  $ trellis doctor                                where is my data, and is it intact?

Where the data is:
  --file F or --store S if given, else MEMORY_FILE_PATH or TRELLIS_STORE, else store: in the
  configuration file, else trellis.db in $XDG_DATA_HOME/trellis (~/.local/share/trellis; on macOS
  ~/Library/Application Support/trellis; on Windows %LOCALAPPDATA%\\trellis). A path ending in .db
  is an SQLite database; one ending in .jsonl or .json is a JSON lines file that other memory
  servers can read too.

Environment:
  TRELLIS_STORE          where the data is: a path ending in .db, .jsonl or .json
  MEMORY_FILE_PATH       the same for a JSON lines file, as other memory servers call it
  TRELLIS_GRAPH          which graph (default: default)
  TRELLIS_SURFACE        which set of tools agents see (default: memory)
  TRELLIS_SERVER_HOST    the address that serve listens on (default: 127.0.0.1)
  TRELLIS_SERVER_PORT    the port that serve listens on (default: 8765)
  TRELLIS_SCHEMAS        the folder of mesh schemas (.schema.json) for the mesh surface
  TRELLIS_GATE_SCHEMA    the file with the gate registry
  WRITE_GATE_UNKNOWN_LABEL_POLICY
                         what the gate does with unknown labels: remap or reject
  TRELLIS_EMBEDDING_PROVIDER
                         what computes vectors: local, ollama, openai, transformers or none
                         (default: local); with TRELLIS_EMBEDDING_MODEL, TRELLIS_EMBEDDING_URL and
                         TRELLIS_EMBEDDING_API_KEY_ENV, the variable that contains the key
  TRELLIS_TOKEN          the token that proxy sends; TRELLIS_TOKEN_<NAME> for a configured server
  TRELLIS_CONFIG         the configuration file (default: trellis.yaml in the working directory)
  Flags override environment variables, and both override the configuration file.

Exit codes: 0 success, 1 failure, 2 wrong usage.
`;

/** Loads only the commands named in `wanted`, since an agent waits for `trellis stdio` to start. */
export async function buildProgram(wanted: readonly string[]): Promise<Command> {
  const program = new Command('trellis')
    .description('A knowledge-graph memory for AI agents over the Model Context Protocol.')
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
