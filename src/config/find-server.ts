import { join } from 'node:path';
import { pathExists } from '../file/path-exists.js';
import { TrellisError } from '../model/error.js';
import { nearest } from '../model/nearest.js';
import type { TokenLocation } from '../proxy/find-token.js';
import type { ConfigFile } from './file/read-config.js';
import { configDirectory, type Environment } from './paths.js';
import type { Flags } from './setting-layers.js';
import { findConfig } from './settings.js';

export interface ConfiguredServer {
  readonly name: string;
  readonly address: string;
  readonly token: TokenLocation | undefined;
  readonly source: string;
}

const serversName = 'servers.yaml';

export function credentialsPath(env: Environment): string {
  return join(configDirectory(env), 'credentials');
}

/** A configuration found in the working directory is ignored: it could send the user's tokens anywhere and run commands. */
export async function findServer(
  name: string,
  flags: Flags,
  env: Environment = process.env,
  cwd: string = process.cwd(),
): Promise<ConfiguredServer> {
  const config = await findConfig(flags, env, cwd);
  const file = config?.isExplicit === true ? config.file : await userServers(env, cwd);
  const known = Object.keys(file?.content.servers ?? {});
  const entry = known.includes(name) ? file?.content.servers?.[name] : undefined;
  if (file === undefined || entry === undefined)
    throw unknownServer(name, known, config?.file, file?.path ?? join(configDirectory(env), serversName));
  return {
    name,
    address: entry.endpoint ?? entry.url ?? '',
    token: tokenLocationOf(entry.auth?.token ?? { env: entry.bearer_token_env }),
    source: file.sourceOf(['servers', name]),
  };
}

async function userServers(env: Environment, cwd: string): Promise<ConfigFile | undefined> {
  const path = join(configDirectory(env), serversName);
  if (!(await pathExists(path))) return undefined;
  const { readConfig } = await import('./file/read-config.js');
  const file = await readConfig(path, cwd);
  const [other] = Object.keys(file.content).filter((key) => key !== 'servers');
  if (other === undefined) return file;
  throw new TrellisError(
    'CONFIG_INVALID',
    `${file.sourceOf([other])} says ${other}, which has no effect here.`,
    { hint: 'This file may only contain servers; put the rest into a configuration file.' },
  );
}

function tokenLocationOf(
  given: { readonly env?: string | undefined; readonly command?: readonly string[] | undefined } | undefined,
): TokenLocation | undefined {
  if (given?.env !== undefined) return { env: given.env };
  return given?.command === undefined ? undefined : { command: given.command };
}

function unknownServer(
  name: string,
  known: readonly string[],
  lying: ConfigFile | undefined,
  path: string,
): TrellisError {
  const meant = nearest(name, known);
  const unasked =
    lying !== undefined && Object.hasOwn(lying.content.servers ?? {}, name) && lying.path !== path;
  const hint = unasked
    ? `${lying.sourceOf(['servers', name])} names it, but is only in the working directory: if you trust it, name it with --config.`
    : meant === undefined
      ? `Name it under servers: in ${path}; see docs/proxy.md.`
      : `Did you mean ${meant}?`;
  return new TrellisError('NOT_FOUND', `There is no server named ${JSON.stringify(name)}.`, { hint });
}
