import { join } from 'node:path';
import { TrellisError } from '../model/error.js';
import { pathExists } from './path-exists.js';
import { type Environment, resolvePath } from './paths.js';
import { environmentLayer, type Flags, firstSetting, flagLayer } from './setting-layers.js';
import { type FoundConfig, resolveSettings, type Settings } from './settings.js';

export const configName = 'trellis.yaml';

export async function loadSettings(
  flags: Flags,
  env: Environment = process.env,
  cwd: string = process.cwd(),
): Promise<Settings> {
  return resolveSettings(flags, env, await findConfig(flags, env, cwd), cwd);
}

/** The one the user named, or the one in the working directory. */
export async function findConfig(
  flags: Flags,
  env: Environment,
  cwd: string,
): Promise<FoundConfig | undefined> {
  const named = firstSetting([flagLayer(flags, cwd), environmentLayer(env, cwd)], 'config');
  if (named?.value === '') throw new TrellisError('USAGE', `The path given with ${named.source} is empty.`);
  const path = named === undefined ? join(cwd, configName) : resolvePath(named.value, env, cwd);
  if (named === undefined && !(await pathExists(path))) return undefined;
  // Loading YAML takes time, and most users have no such file.
  const { readConfig } = await import('./file/read-config.js');
  return {
    file: await readConfig(path, cwd),
    source: named?.source ?? 'the working directory',
    named: named !== undefined,
  };
}
