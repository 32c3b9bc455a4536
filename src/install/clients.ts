import { inAppFolder, inConfigFolder, inHome, joinPath, type Machine } from './machine.js';
import { continueEntry, gooseEntry, openCodeEntry, plainEntry, type WriteEntry } from './server-entry.js';

/** A program that speaks MCP, and how its configuration names servers. */
export interface McpClient {
  readonly title: string;
  readonly format: 'json' | 'toml' | 'yaml';
  /** The configuration of the user; the first that exists is used, else the first. */
  readonly userFiles: (machine: Machine) => readonly string[];
  /** The configuration of the project in the working directory; undefined if the client has none. */
  readonly projectFile?: (machine: Machine) => string;
  /** Files or folders of which one is there if the client is installed. */
  readonly signs: (machine: Machine) => readonly string[];
  /** The key that holds the servers. */
  readonly key: string;
  /** The servers are a list of objects with a `name`, not an object with a key for each. */
  readonly isList?: boolean;
  /** What a new file needs besides the entry. */
  readonly newFile?: string;
  readonly entry: WriteEntry;
  /** Whether it can call a URL; if not, it starts `trellis proxy`. */
  readonly callsUrls: boolean;
  readonly documentation: string;
}

const inProject =
  (...segments: readonly string[]) =>
  (machine: Machine) =>
    joinPath(machine, machine.cwd, ...segments);

const continueFile = 'name: Trellis\nversion: 0.0.1\nschema: v1\n';

export const clients = {
  'claude-code': {
    title: 'Claude Code',
    format: 'json',
    userFiles: (machine) => [inHome(machine, '.claude.json')],
    projectFile: inProject('.mcp.json'),
    signs: (machine) => [inHome(machine, '.claude.json'), inHome(machine, '.claude')],
    key: 'mcpServers',
    entry: plainEntry((url) => ({ type: 'http', url }), { type: 'stdio' }),
    callsUrls: true,
    documentation: 'https://code.claude.com/docs/en/mcp',
  },
  'claude-desktop': {
    title: 'Claude Desktop',
    format: 'json',
    userFiles: (machine) => [inAppFolder(machine, 'Claude', 'claude_desktop_config.json')],
    signs: (machine) => [inAppFolder(machine, 'Claude')],
    key: 'mcpServers',
    entry: plainEntry((url) => ({ url })),
    callsUrls: false,
    documentation: 'https://modelcontextprotocol.io/docs/develop/connect-local-servers',
  },
  cursor: {
    title: 'Cursor',
    format: 'json',
    userFiles: (machine) => [inHome(machine, '.cursor', 'mcp.json')],
    projectFile: inProject('.cursor', 'mcp.json'),
    signs: (machine) => [inHome(machine, '.cursor')],
    key: 'mcpServers',
    entry: plainEntry((url) => ({ url })),
    callsUrls: true,
    documentation: 'https://cursor.com/docs/context/mcp',
  },
  vscode: {
    title: 'VS Code',
    format: 'json',
    userFiles: (machine) => [inAppFolder(machine, 'Code', 'User', 'mcp.json')],
    projectFile: inProject('.vscode', 'mcp.json'),
    signs: (machine) => [inAppFolder(machine, 'Code', 'User')],
    key: 'servers',
    entry: plainEntry((url) => ({ type: 'http', url }), { type: 'stdio' }),
    callsUrls: true,
    documentation: 'https://code.visualstudio.com/docs/copilot/customization/mcp-servers',
  },
  windsurf: {
    title: 'Windsurf',
    format: 'json',
    userFiles: (machine) => [inHome(machine, '.codeium', 'windsurf', 'mcp_config.json')],
    signs: (machine) => [inHome(machine, '.codeium', 'windsurf')],
    key: 'mcpServers',
    entry: plainEntry((url) => ({ serverUrl: url })),
    callsUrls: true,
    documentation: 'https://docs.windsurf.com/windsurf/cascade/mcp',
  },
  codex: {
    title: 'Codex',
    format: 'toml',
    userFiles: (machine) => [
      joinPath(machine, machine.env['CODEX_HOME'] || inHome(machine, '.codex'), 'config.toml'),
    ],
    projectFile: inProject('.codex', 'config.toml'),
    signs: (machine) => [machine.env['CODEX_HOME'] || inHome(machine, '.codex')],
    key: 'mcp_servers',
    entry: plainEntry((url) => ({ url })),
    callsUrls: true,
    documentation: 'https://developers.openai.com/codex/mcp',
  },
  'gemini-cli': {
    title: 'Gemini CLI',
    format: 'json',
    userFiles: (machine) => [inHome(machine, '.gemini', 'settings.json')],
    projectFile: inProject('.gemini', 'settings.json'),
    signs: (machine) => [inHome(machine, '.gemini')],
    key: 'mcpServers',
    entry: plainEntry((url) => ({ httpUrl: url })),
    callsUrls: true,
    documentation: 'https://geminicli.com/docs/tools/mcp-server/',
  },
  opencode: {
    title: 'opencode',
    format: 'json',
    userFiles: (machine) => [
      inHome(machine, '.config', 'opencode', 'opencode.json'),
      inHome(machine, '.config', 'opencode', 'opencode.jsonc'),
    ],
    projectFile: inProject('opencode.json'),
    signs: (machine) => [inHome(machine, '.config', 'opencode')],
    key: 'mcp',
    entry: openCodeEntry,
    callsUrls: true,
    documentation: 'https://opencode.ai/docs/mcp-servers/',
  },
  zed: {
    title: 'Zed',
    format: 'json',
    userFiles: (machine) => [
      machine.platform === 'win32'
        ? inAppFolder(machine, 'Zed', 'settings.json')
        : inConfigFolder(machine, 'zed', 'settings.json'),
    ],
    projectFile: inProject('.zed', 'settings.json'),
    signs: (machine) => [
      machine.platform === 'win32' ? inAppFolder(machine, 'Zed') : inConfigFolder(machine, 'zed'),
    ],
    key: 'context_servers',
    entry: plainEntry((url) => ({ url })),
    callsUrls: true,
    documentation: 'https://zed.dev/docs/ai/mcp',
  },
  cline: {
    title: 'Cline',
    format: 'json',
    userFiles: (machine) => [inAppFolder(machine, ...clineFolder, 'settings', 'cline_mcp_settings.json')],
    signs: (machine) => [inAppFolder(machine, ...clineFolder)],
    key: 'mcpServers',
    entry: plainEntry((url) => ({ type: 'streamableHttp', url })),
    callsUrls: true,
    documentation: 'https://docs.cline.bot/mcp/configuring-mcp-servers',
  },
  goose: {
    title: 'goose',
    format: 'yaml',
    userFiles: (machine) => [gooseFile(machine)],
    signs: (machine) => [gooseFile(machine)],
    key: 'extensions',
    entry: gooseEntry,
    callsUrls: true,
    documentation: 'https://block.github.io/goose/docs/guides/config-files',
  },
  continue: {
    title: 'Continue',
    format: 'yaml',
    userFiles: (machine) => [inHome(machine, '.continue', 'config.yaml')],
    projectFile: inProject('.continue', 'mcpServers', 'trellis.yaml'),
    signs: (machine) => [inHome(machine, '.continue')],
    key: 'mcpServers',
    isList: true,
    newFile: continueFile,
    entry: continueEntry,
    callsUrls: true,
    documentation: 'https://docs.continue.dev/customize/deep-dives/mcp',
  },
  jetbrains: {
    title: 'JetBrains Junie',
    format: 'json',
    userFiles: (machine) => [inHome(machine, '.junie', 'mcp', 'mcp.json')],
    projectFile: inProject('.junie', 'mcp', 'mcp.json'),
    signs: (machine) => [inHome(machine, '.junie')],
    key: 'mcpServers',
    entry: plainEntry((url) => ({ url })),
    callsUrls: false,
    documentation: 'https://www.jetbrains.com/help/junie/model-context-protocol-mcp.html',
  },
} as const satisfies Readonly<Record<string, McpClient>>;

const clineFolder = ['Code', 'User', 'globalStorage', 'saoudrizwan.claude-dev'] as const;

function gooseFile(machine: Machine): string {
  return machine.platform === 'win32'
    ? inAppFolder(machine, 'Block', 'goose', 'config', 'config.yaml')
    : inConfigFolder(machine, 'goose', 'config.yaml');
}

export type ClientName = keyof typeof clients;

export const clientNames = Object.keys(clients) as ClientName[];

export function isClientName(name: string): name is ClientName {
  return Object.hasOwn(clients, name);
}

/** By the general type: each entry of the table has a narrower one. */
export function clientNamed(name: ClientName): McpClient {
  return clients[name];
}
