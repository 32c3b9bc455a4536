import { Command } from 'commander';
import { packageVersion } from '../server/package-version.js';
import { localCommands } from './local-commands.js';

interface CommandModule {
  define(command: Command): void;
}

type CommandEntry = readonly [summary: string, load: () => Promise<CommandModule>];

const commands: Readonly<Record<string, CommandEntry>> = {
  stdio: ['serve one agent over standard input and output', () => import('./stdio-command.js')],
  serve: ['serve any number of agents over HTTP', () => import('./serve-command.js')],
  install: ['add Trellis to the configuration of MCP clients', () => import('./install-command.js')],
  uninstall: ['take back what install added', () => import('./uninstall-command.js')],
  ui: ['look at a memory in the browser', () => import('./ui-command.js')],
  proxy: ['connect a stdio client to a server over HTTP', () => import('./proxy-command.js')],
  graph: ['create, list, rename and delete graphs', () => import('./graph-command.js')],
  token: ['create, list and revoke tokens for agents', () => import('./token-command.js')],
  policy: ['check a policy and show what it allows', () => import('./policy-command.js')],
  config: ['check the configuration', () => import('./config-command.js')],
  search: ['find nodes by words and meaning', () => import('./search-command.js')],
  brief: ['print what an agent should know at the start', () => import('./brief-command.js')],
  hook: ['serve a hook of a client: brief it, keep a note of the session', () => import('./hook-command.js')],
  get: ['show a node', () => import('./get-command.js')],
  add: ['add a node, or facts to one', () => import('./add-command.js')],
  edit: ['correct a node in your editor', () => import('./edit-command.js')],
  rm: ['delete a node or some of its observations', () => import('./rm-command.js')],
  recent: ['list what changed last', () => import('./recent-command.js')],
  stats: ['count what a graph holds', () => import('./stats-command.js')],
  branch: ['list, create, merge and delete branches', () => import('./branch-command.js')],
  log: ['list the commits of a branch', () => import('./log-command.js')],
  blame: ['show who put each value of a node there', () => import('./blame-command.js')],
  show: ['show a commit and what it changed', () => import('./show-command.js')],
  diff: ['show the differences between two branches or commits', () => import('./diff-command.js')],
  undo: ['undo commits with a new commit', () => import('./undo-command.js')],
  gc: ['delete old versions that no branch can see', () => import('./gc-command.js')],
  purge: ['remove a secret from all versions', () => import('./purge-command.js')],
  query: ['run a query', () => import('./query-command.js')],
  mutate: ['run a mutation', () => import('./mutate-command.js')],
  lint: ['check schema and query files', () => import('./lint-command.js')],
  import: ['import what other programs keep', () => import('./import-command.js')],
  ingest: ['load many nodes and edges as one commit', () => import('./ingest-command.js')],
  export: ['export a graph as JSON lines, a drawing, CSV or notes', () => import('./export-command.js')],
  copy: ['copy graphs from one store to another, with their history', () => import('./copy-command.js')],
  backup: ['back up a store while it is in use', () => import('./backup-command.js')],
  restore: ['put a backup in the place of a store', () => import('./restore-command.js')],
  postgres: ['spread a PostgreSQL store over a Citus cluster', () => import('./postgres-command.js')],
  embed: ['compute vectors so that texts can be found by meaning', () => import('./embed-command.js')],
  init: ['write a starter configuration or sample schemas', () => import('./init-command.js')],
  demo: ['load a sample memory to look at', () => import('./demo-command.js')],
  schema: ['show, plan and apply the .pg schema of a graph', () => import('./schema-command.js')],
  gate: ['manage what the write gate accepts, and see what it rejected', () => import('./gate-command.js')],
  completion: [
    'print a script that completes commands in your shell',
    () => import('./completion-command.js'),
  ],
  doctor: ['show the settings in force and check the data', () => import('./doctor-command.js')],
};

export const commandNames: readonly string[] = Object.keys(commands);

const overview = `
Start here:
  $ trellis serve                                 one memory for every agent on this machine
  $ trellis install claude-code                   or let your client start it (--list: which)
  $ trellis ui                                    look at it in the browser
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
  TRELLIS_SEARCH_FALLBACK
                         what search_nodes does if nothing contains the words as they are:
                         ranked or none (default: ranked)
  TRELLIS_SCHEMAS        the folder of mesh schemas (.schema.json) for the mesh surface
  TRELLIS_GATE_SCHEMA    the file with the gate registry
  TRELLIS_GATE_TARGET    the graph database that the gate writes to
  TRELLIS_GATE_USER, TRELLIS_GATE_PASSWORD
                         who connects to it, if the configuration does not say
  WRITE_GATE_UNKNOWN_LABEL_POLICY
                         what the gate does with unknown labels: remap or reject
  TRELLIS_EMBEDDING_PROVIDER
                         what computes vectors: local, ollama, openai, onnx or none
                         (default: local); with TRELLIS_EMBEDDING_MODEL, TRELLIS_EMBEDDING_URL and
                         TRELLIS_EMBEDDING_API_KEY_ENV, the variable that contains the key
  TRELLIS_EMBEDDING_MEANING_WEIGHT
                         what meaning counts in hybrid search (default: the model's)
  TRELLIS_RERANK_PROVIDER
                         http reorders search results with the server at TRELLIS_RERANK_URL
                         (default: none); with TRELLIS_RERANK_MODEL and
                         TRELLIS_RERANK_API_KEY_ENV, the variable that contains the key
  TRELLIS_TOKEN          the token that proxy and --url send; TRELLIS_TOKEN_<NAME> for a server
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
  // Its script lists the flags of every command.
  const isEvery = wanted[0] === 'completion';
  for (const [name, [summary, load]] of Object.entries(commands)) {
    const command = program.command(name).summary(summary).description(sentence(summary));
    if (isEvery || wanted.includes(name)) (await load()).define(command);
    const reason = localCommands.get(name);
    if (reason !== undefined) command.addHelpText('after', `\nWorks on this machine only: ${reason}`);
  }
  return program;
}

function sentence(summary: string): string {
  return `${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`;
}
