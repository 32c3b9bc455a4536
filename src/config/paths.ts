import { homedir } from 'node:os';
import { isAbsolute, join, posix, resolve, win32 } from 'node:path';

export type Environment = Readonly<Record<string, string | undefined>>;

/** A variable that is set to nothing counts as not set. */
export function variable(env: Environment, name: string): string | undefined {
  const value = env[name];
  return value === undefined || value === '' ? undefined : value;
}

/** The folder that holds what Trellis keeps for this user; never inside the package. */
export function dataDirectory(
  env: Environment = process.env,
  platform: NodeJS.Platform = process.platform,
): string {
  const home = homeDirectory(env);
  const { join: joinPath, isAbsolute: isAbsolutePath } = platform === 'win32' ? win32 : posix;
  const xdg = variable(env, 'XDG_DATA_HOME');
  // The base-directory specification has relative values ignored.
  if (xdg !== undefined && isAbsolutePath(xdg)) return joinPath(xdg, 'trellis');
  if (platform === 'darwin') return joinPath(home, 'Library', 'Application Support', 'trellis');
  if (platform === 'win32') {
    return joinPath(variable(env, 'LOCALAPPDATA') ?? joinPath(home, 'AppData', 'Local'), 'trellis');
  }
  return joinPath(home, '.local', 'share', 'trellis');
}

/** The folder that holds what this user has set up for Trellis, whatever the working directory is. */
export function configDirectory(
  env: Environment = process.env,
  platform: NodeJS.Platform = process.platform,
): string {
  const home = homeDirectory(env);
  const { join: joinPath, isAbsolute: isAbsolutePath } = platform === 'win32' ? win32 : posix;
  const xdg = variable(env, 'XDG_CONFIG_HOME');
  if (xdg !== undefined && isAbsolutePath(xdg)) return joinPath(xdg, 'trellis');
  if (platform === 'darwin') return joinPath(home, 'Library', 'Application Support', 'trellis');
  if (platform === 'win32') {
    return joinPath(variable(env, 'APPDATA') ?? joinPath(home, 'AppData', 'Roaming'), 'trellis');
  }
  return joinPath(home, '.config', 'trellis');
}

export function defaultStorePath(env: Environment = process.env): string {
  return join(dataDirectory(env), 'trellis.db');
}

/** Absolute paths as they are, a leading `~` expanded, relative ones against the working directory. */
export function resolvePath(
  path: string,
  env: Environment = process.env,
  cwd: string = process.cwd(),
): string {
  if (path === '~') return homeDirectory(env);
  if (/^~[/\\]/.test(path)) return join(homeDirectory(env), path.slice(2));
  return isAbsolute(path) ? path : resolve(cwd, path);
}

/** A store that is reached over the network has no path. */
export function isUrl(location: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(location);
}

function homeDirectory(env: Environment): string {
  return variable(env, 'HOME') ?? homedir();
}

/** An address may hold a password, and what is shown ends up in bug reports. */
export function withoutPassword(value: string): string {
  return isUrl(value) ? value.replace(/^([^/]*\/\/)[^/?#]*@/, '$1') : value;
}
