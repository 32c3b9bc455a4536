import type { Command } from 'commander';
import { findServer } from '../config/find-server.js';
import { isUrl } from '../config/paths.js';
import { type ClientName, clientNamed, clientNames } from '../install/clients.js';
import { isHookClient } from '../install/hooks/hook-files.js';
import { planHooks } from '../install/hooks/plan-hooks.js';
import { isOurs } from '../install/is-ours.js';
import { configFile, planInstall, readEntry, type Target } from '../install/plan.js';
import { graphOption, locationOptions } from './command-options.js';
import {
  chooseClients,
  clientOptions,
  type EntryOptions,
  hookCommand,
  isFound,
  serverEntry,
  targetOf,
} from './install/install-options.js';
import { changeClients } from './install/print-plans.js';
import { print } from './print.js';

interface InstallOptions extends EntryOptions {
  readonly list?: boolean;
  readonly force?: boolean;
  readonly hooks?: boolean;
}

const help = `
Adds Trellis to the configuration of MCP clients, so that they start it themselves, or call a
server with --url. Comments, order and indentation stay; the file as it was is kept beside it,
ending in .before-trellis. Running it twice changes nothing; trellis uninstall takes it back.

Examples:
  $ trellis install claude-code
  $ trellis install cursor vscode --project --dry-run
  $ trellis install --all --surface workspace
  $ trellis install claude-code --hooks
  $ trellis install codex --url http://127.0.0.1:8765
  $ trellis install --list
`;

export function define(command: Command): void {
  clientOptions(command)
    .option('--list', 'list the clients, where they are found, and what is set')
    .option('--surface <name>', 'the set of tools (default: memory)')
    .option(
      '--url <address>',
      'a server to call instead of starting one: its URL, or its name under servers:',
    )
    .option('--hooks', 'also brief sessions at their start, and keep a note of them; see docs/agents.md')
    .option('--hooks-branch <name>', 'the branch for notes of sessions (default: main)')
    .option('--force', 'replace a server of the same name that is not Trellis');
  graphOption(locationOptions(command)).addHelpText('after', help).action(run);
}

async function run(names: readonly string[], options: InstallOptions): Promise<void> {
  const target = targetOf(options);
  if (options.list) return list(target, options.json === true);
  const chosen = await chooseClients(names, options, target.machine);
  // The client would find out too late that the proxy does not know the server.
  if (options.url !== undefined && !isUrl(options.url)) await findServer(options.url, options);
  const plan = (name: ClientName) =>
    planInstall(name, target, serverEntry(name, options), options.force === true);
  if (!options.hooks) return changeClients(chosen, [plan], options);
  const commandOf = hookCommand(chosen, options);
  const hooks = async (name: ClientName) =>
    isHookClient(name) ? planHooks(name, target, commandOf(name)) : undefined;
  await changeClients(chosen, [plan, hooks], options);
}

async function list(target: Target, json: boolean): Promise<void> {
  const rows = [];
  for (const client of clientNames) {
    const found = await isFound(client, target.machine);
    if (target.project && clientNamed(client).projectFile === undefined) continue;
    const entry = await readEntry(client, target).catch((error: unknown) => error);
    const state =
      entry instanceof Error
        ? 'unreadable'
        : entry === undefined
          ? 'not set'
          : isOurs(entry)
            ? 'set'
            : 'other';
    rows.push({ client, found, state, file: await configFile(client, target) });
  }
  if (json) return print({ clients: rows });
  print(
    rows
      .map(({ client, found, state, file }) =>
        `${client.padEnd(15)} ${(found ? 'found' : '-').padEnd(6)} ${state.padEnd(10)} ${file}`.trimEnd(),
      )
      .join('\n'),
  );
}
