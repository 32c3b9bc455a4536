import { realpath } from 'node:fs/promises';
import { parseDocument } from 'yaml';
import { isMissing } from '../../file/file-errors.js';
import { acquireLock } from '../../file/lock-file.js';
import { readTextFile } from '../../file/read-text-file.js';
import { saveAtomically } from '../../file/save-atomically.js';
import { TrellisError } from '../../model/error.js';
import { type KnownToken, parseTokens } from './token-file.js';
import { hashToken, newToken, tokenId } from './token-hash.js';

export interface TokenGrant {
  readonly actor: string;
  readonly groups: readonly string[];
  readonly scopes?: readonly string[] | undefined;
  readonly tenant?: string | undefined;
  readonly expires?: number | undefined;
}

export interface CreatedToken {
  /** Shown only once. */
  readonly token: string;
  readonly id: string;
}

export type Revocation = { readonly actor: string } | { readonly id: string };

/** By actor, as written in the file, so that unchanged entries keep their form. */
type Entries = Map<string, unknown[]>;

/** Stores the hash alone. */
export async function createToken(path: string, grant: TokenGrant, now: number): Promise<CreatedToken> {
  const token = newToken();
  const hash = hashToken(token);
  const entry = {
    hash: `sha256:${hash.toString('hex')}`,
    ...(grant.groups.length === 0 ? {} : { groups: grant.groups }),
    ...(grant.scopes === undefined || grant.scopes.length === 0 ? {} : { scopes: grant.scopes }),
    ...(grant.tenant === undefined ? {} : { tenant: grant.tenant }),
    created: new Date(now).toISOString(),
    ...(grant.expires === undefined ? {} : { expires: new Date(grant.expires).toISOString() }),
  };
  await edit(path, 'make', (entries) => {
    entries.set(grant.actor, [...(entries.get(grant.actor) ?? []), entry]);
  });
  return { token, id: tokenId(hash) };
}

export async function revokeTokens(path: string, which: Revocation): Promise<readonly KnownToken[]> {
  let revoked: readonly KnownToken[] = [];
  await edit(path, 'must be there', (entries, known) => {
    revoked = known.filter((token) => ('id' in which ? token.id === which.id : token.actor === which.actor));
    if (revoked.length === 0) throw nothingToRevoke(path, which);
    for (const [actor, items] of entries) {
      const own = known.filter((token) => token.actor === actor);
      const kept = items.filter((_, index) => !revoked.some((token) => token === own[index]));
      if (kept.length > 0) entries.set(actor, kept);
      else entries.delete(actor);
    }
  });
  return revoked;
}

export async function listTokens(path: string): Promise<readonly KnownToken[]> {
  return parseTokens(await readTextFile(path), path);
}

/** In one step, so that a server sees all of a change or nothing. */
async function edit(
  path: string,
  missing: 'make' | 'must be there',
  change: (entries: Entries, known: readonly KnownToken[]) => void,
): Promise<void> {
  const target = await realpath(path).catch(() => path);
  const lock = await acquireLock(`${target}.lock`);
  try {
    const text = await readTextFile(target).catch((error: unknown) => {
      if (missing === 'make' && error instanceof TrellisError && isMissing(error.cause)) return '{}';
      throw error;
    });
    const known = parseTokens(text, path);
    const entries = entriesOf(text);
    change(entries, known);
    const printed = `${JSON.stringify(Object.fromEntries([...entries].map(shortened)), null, 2)}\n`;
    parseTokens(printed, path);
    await saveAtomically(target, Buffer.from(printed, 'utf8'));
  } finally {
    lock.release();
  }
}

function entriesOf(text: string): Entries {
  const parsed: unknown = parseDocument(text).toJS({ mapAsMap: true });
  const entries: Entries = new Map();
  if (!(parsed instanceof Map)) return entries;
  for (const [actor, value] of parsed)
    entries.set(String(actor), (Array.isArray(value) ? value : [value]).map(plainObject));
  return entries;
}

function shortened([actor, items]: readonly [string, readonly unknown[]]): readonly [string, unknown] {
  return [actor, items.length === 1 ? items[0] : items];
}

function plainObject(value: unknown): unknown {
  return value instanceof Map ? Object.fromEntries(value) : value;
}

function nothingToRevoke(path: string, which: Revocation): TrellisError {
  const what = 'id' in which ? `token with the id ${which.id}` : `token of ${which.actor}`;
  return new TrellisError('NOT_FOUND', `There is no ${what} in ${path}.`, {
    hint: `See what there is with: trellis token list --file ${path}`,
  });
}
