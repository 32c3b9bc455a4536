import type { Command } from 'commander';
import { isUrl, resolvePath } from '../../config/paths.js';
import { isReachable } from '../../file/path-exists.js';
import { type ClientName, clientNamed, clientNames, clients, isClientName } from '../../install/clients.js';
import { type HookCommand, hookFiles, isHookClient } from '../../install/hooks/hook-files.js';
import { type Machine, thisMachine } from '../../install/machine.js';
import { ownCommand } from '../../install/own-command.js';
import type { Target } from '../../install/plan.js';
import type { ServerEntry } from '../../install/server-entry.js';
import { TrellisError } from '../../model/error.js';
import { parseServerUrl, surfaceUrl } from '../../proxy/surface-url.js';
import { isWildcardAddress } from '../../server/http/listen-host.js';
import { checkSurfaceName } from '../../surfaces/surface-registry.js';
import { jsonOption } from '../command-options.js';

export interface ClientOptions {
  readonly all?: boolean;
  readonly project?: boolean;
  readonly name: string;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

export interface EntryOptions extends ClientOptions {
  readonly surface?: string;
  readonly graph?: string;
  readonly store?: string;
  readonly file?: string;
  readonly config?: string;
  readonly url?: string;
  readonly hooksBranch?: string;
}

/** For both directions. */
export function clientOptions(command: Command): Command {
  return jsonOption(
    command
      .argument('[clients...]', clientNames.join(', '))
      .option('--all', 'every client found on this machine')
      .option('--project', 'in the project in the working directory, not for the user')
      .option('--name <name>', 'the name of the server in the configuration', 'trellis')
      .option('--dry-run', 'only print what would change, as a diff'),
  );
}

export function targetOf({ project = false, name }: ClientOptions): Target {
  if (!/^[A-Za-z0-9_-]{1,64}$/.test(name))
    throw new TrellisError('USAGE', 'A server name has up to 64 letters, digits, - and _.', {
      hint: 'Give another one with --name.',
    });
  return { machine: thisMachine(), project, name };
}

export async function chooseClients(
  given: readonly string[],
  { all = false }: ClientOptions,
  machine: Machine,
): Promise<readonly ClientName[]> {
  const unknown = given.find((name) => !isClientName(name));
  if (unknown !== undefined)
    throw new TrellisError('USAGE', `There is no client named ${JSON.stringify(unknown)}.`, {
      hint: `Use one of: ${clientNames.join(', ')}.`,
    });
  if (all === given.length > 0)
    throw new TrellisError('USAGE', 'Name one or more clients, or give --all.', {
      hint: `Found here: ${(await foundClients(machine)).join(', ') || 'none'}. See trellis install --list.`,
    });
  const found = await foundClients(machine);
  if (all && found.length === 0)
    throw new TrellisError('NOT_FOUND', 'No client was found on this machine.', {
      hint: `Name one: ${clientNames.join(', ')}.`,
    });
  return all ? found : [...new Set(given.filter(isClientName))];
}

export async function foundClients(machine: Machine): Promise<readonly ClientName[]> {
  const found: ClientName[] = [];
  for (const name of clientNames) if (await isFound(name, machine)) found.push(name);
  return found;
}

export async function isFound(name: ClientName, machine: Machine): Promise<boolean> {
  for (const sign of clients[name].signs(machine)) if (await isReachable(sign)) return true;
  return false;
}

/** What the client is told: how to start this program, or where the server is. */
export function serverEntry(client: ClientName, options: EntryOptions): ServerEntry {
  const { url, surface, graph } = options;
  if (surface !== undefined) checkSurfaceName(surface);
  if (url === undefined) return ownCommand(['stdio', ...flags({ surface, graph, ...locations(options) })]);
  // A name under servers: has its address and its token there, which only the proxy reads.
  if (!isUrl(url)) {
    const { config } = locations(options);
    return ownCommand(['proxy', ...flags({ server: url, surface, graph, config })]);
  }
  if (isWildcardAddress(parseServerUrl(url).hostname.replace(/^\[|\]$/g, '')))
    throw new TrellisError('USAGE', `No client can call ${url}.`, {
      hint: 'Give the address under which clients reach the server, such as http://127.0.0.1:8765.',
    });
  const address = surfaceUrl(url, { graph, surface });
  if (clientNamed(client).callsUrls) return { url: address.href };
  return ownCommand(['proxy', ...flags({ url, surface, graph })]);
}

/** How a client runs hooks: on the same store and graph as the server. */
export function hookCommand(
  clients: readonly ClientName[],
  options: EntryOptions,
): (client: ClientName) => HookCommand {
  if (options.url !== undefined)
    throw new TrellisError('USAGE', 'Hooks work on a store on this machine, not on a server.', {
      hint: 'Give --hooks without --url.',
    });
  if (!clients.some(isHookClient))
    throw new TrellisError('USAGE', `None of these clients has hooks: ${clients.join(', ')}.`, {
      hint: `These have: ${Object.keys(hookFiles).join(', ')}. For others, see docs/agents.md.`,
    });
  const place = flags({ graph: options.graph, ...locations(options) });
  return (client) => (event) => {
    const branch = event === 'checkpoint' ? flags({ branch: options.hooksBranch }) : [];
    const { command, args } = ownCommand(['hook', event, '--client', client, ...place, ...branch]);
    return [command, ...args];
  };
}

/** Absolute, because a client starts the program in a folder of its own. */
function locations({ store, file, config }: EntryOptions) {
  if (store !== undefined && hasPassword(store))
    throw new TrellisError('USAGE', 'The URL of the store contains a password.', {
      hint: 'It would be in the configuration of each client. Put the URL under store: in a file that only you can read, and name that with --config.',
    });
  const absolute = (path: string | undefined) =>
    path === undefined || isUrl(path) ? path : resolvePath(path);
  return { store: absolute(store), file: absolute(file), config: absolute(config) };
}

function hasPassword(location: string): boolean {
  if (!URL.canParse(location)) return false;
  const { password, searchParams } = new URL(location);
  return password !== '' || searchParams.has('password');
}

function flags(values: Readonly<Record<string, string | undefined>>): readonly string[] {
  return Object.entries(values).flatMap(([flag, value]) => (value === undefined ? [] : [`--${flag}`, value]));
}
