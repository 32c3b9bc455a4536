import { posix, win32 } from 'node:path';
import { homeDirectory } from '../config/paths.js';

/** What decides where a client keeps its configuration. */
export interface Machine {
  readonly platform: NodeJS.Platform;
  readonly home: string;
  /** The working directory: the project, for what is configured in one. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export function thisMachine(): Machine {
  return {
    platform: process.platform,
    home: homeDirectory(process.env),
    cwd: process.cwd(),
    env: process.env,
  };
}

/** Joins path segments as the machine writes them. */
export function joinPath({ platform }: Machine, ...segments: readonly string[]): string {
  return (platform === 'win32' ? win32 : posix).join(...segments);
}

export function inHome(machine: Machine, ...segments: readonly string[]): string {
  return joinPath(machine, machine.home, ...segments);
}

/** `~/.config`, or where the user moved it, also on macOS; `%APPDATA%` on Windows. */
export function inConfigFolder(machine: Machine, ...segments: readonly string[]): string {
  if (machine.platform === 'win32') return inAppData(machine, ...segments);
  return joinPath(machine, machine.env['XDG_CONFIG_HOME'] || inHome(machine, '.config'), ...segments);
}

/** Where desktop programs keep their settings: `~/Library/Application Support`, `%APPDATA%`, `~/.config`. */
export function inAppFolder(machine: Machine, ...segments: readonly string[]): string {
  if (machine.platform === 'darwin') return inHome(machine, 'Library', 'Application Support', ...segments);
  return inConfigFolder(machine, ...segments);
}

function inAppData(machine: Machine, ...segments: readonly string[]): string {
  return joinPath(machine, machine.env['APPDATA'] || inHome(machine, 'AppData', 'Roaming'), ...segments);
}
