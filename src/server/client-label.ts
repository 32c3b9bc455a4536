import { isRecord } from '../model/is-record.js';
import { commitLimits } from '../model/limits.js';

/** `name/version` of an MCP client, as it describes itself; without control characters, and cut if it is long. */
export function clientLabel(info: unknown): string | undefined {
  if (!isRecord(info)) return undefined;
  const name = plainText(info['name']);
  const version = plainText(info['version']);
  if (name === '') return undefined;
  return version === '' ? name : `${name}/${version}`;
}

function plainText(value: unknown): string {
  if (typeof value !== 'string') return '';
  const shown = value.toWellFormed().replaceAll(/[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/gu, '');
  return shown.trim().slice(0, commitLimits.clientLength).toWellFormed().trimEnd();
}

/** What a client says of itself in the handshake. */
export interface ClientInfo {
  /** As `clientLabel`. */
  readonly client?: string | undefined;
  /** Whether it shows MCP Apps. */
  readonly showsApps?: boolean | undefined;
}

/**
 * Clients of the 2025 protocol say over HTTP only once who they are, and repeat the session id that they get then. No
 * session is kept: the id itself says it.
 */
export function sessionIdFor(
  { name, version }: { readonly name: string; readonly version: string },
  showsApps: boolean,
): string {
  const apps = showsApps ? { apps: true } : {};
  const info = JSON.stringify({ name: plainText(name), version: plainText(version), ...apps });
  return `${crypto.randomUUID()}.${Buffer.from(info).toString('base64url')}`;
}

export function clientInSession(id: string | null): ClientInfo {
  const [, encoded = ''] = /^[\da-f-]{36}\.([\w-]{1,2000})$/.exec(id ?? '') ?? [];
  try {
    const info: unknown = JSON.parse(Buffer.from(encoded, 'base64url').toString());
    return { client: clientLabel(info), showsApps: isRecord(info) && info['apps'] === true };
  } catch {
    return {};
  }
}
