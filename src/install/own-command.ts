import { realpathSync } from 'node:fs';
import { delimiter, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packageFile } from '../file/package-files.js';
import { shellQuote } from '../model/quoting.js';
import type { StartedServer } from './server-entry.js';

interface RunningProgram {
  readonly execPath: string;
  /** The script that Node runs. */
  readonly script: string;
  readonly platform: NodeJS.Platform;
  readonly path: string;
}

/** How another program starts this installation of Trellis, from any folder and with any PATH. */
export function ownCommand(
  args: readonly string[],
  program: RunningProgram = runningProgram(),
): StartedServer {
  const { script, platform } = program;
  if (script.split(/[\\/]/).includes('_npx')) {
    const npx = ['-y', 'trellis-memory', ...args];
    // On Windows npx is a script, which clients cannot start by itself.
    return platform === 'win32'
      ? { command: 'cmd', args: ['/c', 'npx', ...npx] }
      : { command: 'npx', args: npx };
  }
  return { command: stableNode(program), args: [script, ...args] };
}

/** What a person types: in a checkout, `trellis` is on the path only after `npm link`. */
export function typedCommand(args: readonly string[], program: RunningProgram = runningProgram()): string {
  const names = program.platform === 'win32' ? ['trellis.cmd', 'trellis.exe'] : ['trellis'];
  const isOnPath = program.path
    .split(delimiter)
    .some((folder) => names.some((name) => realOrUndefined(join(folder, name)) !== undefined));
  const own = ownCommand(args, program);
  const words = isOnPath ? ['trellis', ...args] : [own.command, ...own.args];
  return words.map(shellQuote).join(' ');
}

function runningProgram(): RunningProgram {
  return {
    execPath: process.execPath,
    script: realpathSync(fileURLToPath(packageFile('dist/bundle/trellis.js'))),
    platform: process.platform,
    path: process.env['PATH'] ?? '',
  };
}

/** The path of Node that stays when Node is upgraded, such as `/opt/homebrew/bin/node` for one below `Cellar`. */
function stableNode({ execPath, path, platform }: RunningProgram): string {
  const own = realOrUndefined(execPath);
  const name = platform === 'win32' ? 'node.exe' : 'node';
  const candidates = path
    .split(delimiter)
    .filter((folder) => folder.startsWith(sep) || /^[a-z]:/i.test(folder));
  const found = candidates.map((folder) => join(folder, name)).find((file) => realOrUndefined(file) === own);
  return found ?? execPath;
}

function realOrUndefined(file: string): string | undefined {
  try {
    return realpathSync(file);
  } catch {
    return undefined;
  }
}
