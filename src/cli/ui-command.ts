import { spawn } from 'node:child_process';
import type { Command } from 'commander';
import { loadSettings, type Settings } from '../config/settings.js';
import { asTrellisError } from '../model/error.js';
import { urlOf } from '../server/http/listen-host.js';
import { type CommonOptions, graphOption, locationOptions } from './command-options.js';
import { print } from './print.js';
import { serve } from './serve-command.js';

interface UiOptions extends CommonOptions {
  readonly open: boolean;
}

const help = `
If a server is running on the configured address, its explorer is opened. If not, or if you name a
store with --file or --store, this command serves the store itself until Ctrl-C.

Examples:
  $ trellis ui
  $ trellis ui --store work.db --no-open
`;

export function define(command: Command): void {
  command.option('--no-open', 'print the address only');
  graphOption(locationOptions(command)).addHelpText('after', help).action(run);
}

async function run(options: UiOptions): Promise<void> {
  const settings = await loadSettings(options);
  const { host, port, server } = settings;
  const show = (url: string, note: string) => {
    const address = `${url}/${options.graph === undefined ? '' : `#/${encodeURIComponent(options.graph)}`}`;
    print(`The explorer is at ${address}\n${note}`);
    if (options.open) openBrowser(address);
  };
  const running = server.publicUrl?.replace(/\/$/, '') ?? urlOf(host.value, port.value);
  const isAny = options.file === undefined && options.store === undefined;
  if (isAny && (await isTrellis(running))) return show(running, 'A server was running there already.');
  const announce = ({ url }: { readonly url: string }) => show(url, 'Press Ctrl-C to stop.');
  try {
    await serve(settings, announce);
  } catch (error) {
    // Another program has the port; nobody depends on this one.
    if (asTrellisError(error).code !== 'ADDRESS_UNAVAILABLE' || port.value === 0) throw error;
    await serve(onAnyPort(settings), announce);
  }
}

function onAnyPort(settings: Settings): Settings {
  return { ...settings, port: { ...settings.port, value: 0 } };
}

async function isTrellis(url: string): Promise<boolean> {
  try {
    const response = await fetch(`${url}/healthz`, { signal: AbortSignal.timeout(1_000) });
    const body = await response.json();
    return typeof body === 'object' && body !== null && 'status' in body && 'version' in body;
  } catch {
    return false;
  }
}

const openers: Readonly<Record<string, readonly [string, ...string[]]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

/** Where there is no browser, the printed address has to do. */
function openBrowser(address: string): void {
  const [program, ...args] = openers[process.platform] ?? ['xdg-open'];
  const opener = spawn(program, [...args, address], { stdio: 'ignore', detached: true });
  opener.on('error', () => {});
  opener.unref();
}
