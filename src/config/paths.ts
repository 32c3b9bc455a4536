import { homedir } from 'node:os';
import { isAbsolute, join, posix, resolve, win32 } from 'node:path';

export type Environment = Readonly<Record<string, string | undefined>>;

/** An empty variable counts as not set. */
export function environmentVariable(env: Environment, name: string): string | undefined {
  const value = env[name];
  return value === undefined || value === '' ? undefined : value;
}

interface UserFolder {
  readonly xdg: string;
  readonly unix: readonly string[];
  readonly appData: string;
  readonly windows: readonly string[];
}

const dataFolder: UserFolder = {
  ...{ xdg: 'XDG_DATA_HOME', unix: ['.local', 'share'] },
  ...{ appData: 'LOCALAPPDATA', windows: ['AppData', 'Local'] },
};
const configFolder: UserFolder = {
  ...{ xdg: 'XDG_CONFIG_HOME', unix: ['.config'] },
  ...{ appData: 'APPDATA', windows: ['AppData', 'Roaming'] },
};

export function dataDirectory(
  env: Environment = process.env,
  platform: NodeJS.Platform = process.platform,
): string {
  return userDirectory(dataFolder, env, platform);
}

export function configDirectory(
  env: Environment = process.env,
  platform: NodeJS.Platform = process.platform,
): string {
  return userDirectory(configFolder, env, platform);
}

function userDirectory(folder: UserFolder, env: Environment, platform: NodeJS.Platform): string {
  const path = platform === 'win32' ? win32 : posix;
  const home = homeDirectory(env);
  const xdg = environmentVariable(env, folder.xdg);
  // The XDG base directory specification ignores relative values.
  if (xdg !== undefined && path.isAbsolute(xdg)) return path.join(xdg, 'trellis');
  if (platform === 'darwin') return path.join(home, 'Library', 'Application Support', 'trellis');
  if (platform === 'win32')
    return path.join(
      environmentVariable(env, folder.appData) ?? path.join(home, ...folder.windows),
      'trellis',
    );
  return path.join(home, ...folder.unix, 'trellis');
}

export function defaultStorePath(env: Environment = process.env): string {
  return join(dataDirectory(env), 'trellis.db');
}

/** Expands a leading `~`. */
export function resolvePath(
  path: string,
  env: Environment = process.env,
  cwd: string = process.cwd(),
): string {
  if (path === '~') return homeDirectory(env);
  if (/^~[/\\]/.test(path)) return join(homeDirectory(env), path.slice(2));
  return isAbsolute(path) ? path : resolve(cwd, path);
}

export function isUrl(location: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(location);
}

export function homeDirectory(env: Environment): string {
  return environmentVariable(env, 'HOME') ?? homedir();
}

/** A URL may contain a password, and output ends up in bug reports. */
export function withoutPassword(value: string): string {
  return isUrl(value) ? value.replace(/^([^/]*\/\/)[^/?#]*@/, '$1') : value;
}
