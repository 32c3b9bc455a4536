import { execFile } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { isBearerToken } from '../access/bearer-token.js';
import { isReachable } from '../file/path-exists.js';
import { readTextFile } from '../file/read-text-file.js';
import { TrellisError } from '../model/error.js';
import { proxyLimits } from '../model/limits.js';
import type { ProxyCredentials } from './upstream.js';

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
  { name, token: location, source }: NamedServer,
  env: Environment,
  credentials: string,
): Promise<ProxyCredentials> {
  if (location !== undefined && 'env' in location) {
    const found = fromVariable(env, location.env);
    if (found !== undefined) return found;
    throw new TrellisError('CREDENTIALS_UNAVAILABLE', `${location.env} is not set (${source}).`, {
      hint: `Set it to the token for ${name}.`,
    });
  }
  if (location !== undefined) return fromCommand(location.command, source);
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

/** Runs without a shell. */
function tokenFromCommand(command: readonly string[], source: string): Promise<string> {
  const [program = '', ...args] = command;
  const options = { timeout: proxyLimits.commandMs, maxBuffer: proxyLimits.credentialBytes };
  return new Promise((resolve, reject) => {
    const child = execFile(program, args, options, (error, stdout) => {
      if (error !== null) return reject(commandFailed(program, source, error));
      try {
        resolve(parseToken(stdout, `What ${program} (${source}) printed`));
      } catch (thrown) {
        reject(thrown);
      }
    });
    // Its input is not the client's, and its errors are for the user.
    child.stdin?.end();
    child.stderr?.pipe(process.stderr, { end: false });
  });
}

function commandFailed(
  program: string,
  source: string,
  { code, killed, message }: Error & { readonly code?: unknown; readonly killed?: boolean },
): TrellisError {
  const seconds = proxyLimits.commandMs / 1000;
  const reasonOf = () => {
    if (killed === true) return `it was ended after ${seconds} s`;
    if (code === 'ENOENT') return 'there is no such program';
    return typeof code === 'number' ? `it ended with ${code}` : message.split('\n')[0];
  };
  return new TrellisError(
    'CREDENTIALS_UNAVAILABLE',
    `${program} (${source}) did not print a token: ${reasonOf()}.`,
    { hint: 'Run it yourself to see why; it must print only the token.' },
  );
}

/** Messages never show the text. */
export function parseToken(text: string, source: string): string {
  const token = text.trim();
  if (isBearerToken(token)) return token;
  throw new TrellisError('CREDENTIALS_UNAVAILABLE', `${source} does not contain a token.`, {
    hint: 'A token is one word of letters, digits and - . _ ~ + /, and nothing else.',
  });
}

async function tokenFromFile(path: string, server: string): Promise<string | undefined> {
  if (!(await isReachable(path))) return undefined;
  await requirePrivateFile(path);
  const text = await readTextFile(path, proxyLimits.credentialBytes);
  const token = sectionsOf(text, path).get(server);
  return token === undefined ? undefined : parseToken(token, `[${server}] in ${path}`);
}

/** `token = …` below `[name]`; errors give line numbers and never show lines. */
function sectionsOf(text: string, path: string): ReadonlyMap<string, string> {
  const sections = new Map<string, string>();
  let section: string | undefined;
  for (const [index, raw] of text.split(/\r?\n/).entries()) {
    const line = raw.trim();
    if (line === '' || line.startsWith('#') || line.startsWith(';')) continue;
    const head = /^\[([^\]]+)\]$/.exec(line)?.[1]?.trim();
    const token = /^token\s*=\s*(\S+)$/.exec(line)?.[1];
    if (head !== undefined) section = head;
    else if (token !== undefined && section !== undefined && !sections.has(section))
      sections.set(section, token);
    else throw unreadableLine(path, index + 1);
  }
  return sections;
}

function unreadableLine(path: string, line: number): TrellisError {
  return new TrellisError('CREDENTIALS_UNAVAILABLE', `${path}:${line} cannot be read.`, {
    hint: 'Write the name of each server as [name], and below it one line: token = …',
  });
}

/** Whoever reads the file can impersonate the user. */
async function requirePrivateFile(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const { mode, uid } = await stat(path);
  const mine = uid === process.getuid?.() || process.getuid?.() === undefined;
  if (mine && (mode & 0o077) === 0) return;
  throw new TrellisError(
    'CREDENTIALS_UNAVAILABLE',
    mine ? `${path} is accessible to other users.` : `${path} belongs to somebody else.`,
    {
      hint: mine
        ? `Keep it to yourself: chmod 600 ${path}`
        : 'Write one of your own; docs/proxy.md says how it looks.',
    },
  );
}
