import { TrellisError } from '../../model/error.js';
import type { ProxyCredentials } from '../upstream.js';
import { parseToken } from './parse-token.js';
import { tokenFromCommand } from './token-from-command.js';
import { tokenFromFile } from './token-from-file.js';

/** Never the token itself. */
export type TokenLocation = { readonly env: string } | { readonly command: readonly string[] };

export interface NamedServer {
  readonly name: string;
  readonly token?: TokenLocation | undefined;
  /** For example `trellis.yaml:3`. */
  readonly source: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** For servers given by URL. */
const defaultVariable = 'TRELLIS_TOKEN';

function variableFor(server: string): string {
  return `${defaultVariable}_${server.toUpperCase().replace(/[^A-Z0-9]/g, '_')}`;
}

export function tokenForAddress(env: Environment): ProxyCredentials {
  return (
    fromVariable(env, defaultVariable) ?? { token: undefined, hint: `${setVariableHint(defaultVariable)}.` }
  );
}

/** From the configured place, else from the variable, else from the credentials file. */
export async function tokenFor(
  { name, token: place, source }: NamedServer,
  env: Environment,
  credentials: string,
): Promise<ProxyCredentials> {
  if (place !== undefined && 'env' in place) {
    const found = fromVariable(env, place.env);
    if (found !== undefined) return found;
    throw new TrellisError('CREDENTIALS_UNAVAILABLE', `${place.env} is not set (${source}).`, {
      hint: `Set it to the token for ${name}.`,
    });
  }
  if (place !== undefined) return fromCommand(place.command, source);
  const variable = variableFor(name);
  const token = fromVariable(env, variable);
  if (token !== undefined) return token;
  const kept = await tokenFromFile(credentials, name);
  if (kept !== undefined)
    return { token: kept, hint: `The token under [${name}] in ${credentials} is not valid.` };
  return {
    token: undefined,
    hint: `${setVariableHint(variable)}, or put it under [${name}] into ${credentials}.`,
  };
}

function fromVariable(env: Environment, name: string): ProxyCredentials | undefined {
  const value = env[name];
  if (value === undefined || value === '') return undefined;
  return { token: parseToken(value, name), hint: `The token in ${name} is not valid.` };
}

async function fromCommand(command: readonly string[], source: string): Promise<ProxyCredentials> {
  return {
    token: await tokenFromCommand(command, source),
    hint: `The token that ${command[0]} (${source}) prints is not valid.`,
    renewed: () => fromCommand(command, source),
  };
}

function setVariableHint(variable: string): string {
  return `Set ${variable} to a token for it`;
}
