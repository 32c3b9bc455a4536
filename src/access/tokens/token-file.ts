import { isScalar, isSeq } from 'yaml';
import { accessLimits } from '../../model/limits.js';
import { YamlReader, type YamlValue } from '../../yaml/yaml-reader.js';
import { isBearerToken } from '../bearer-token.js';
import { identityProblem } from '../identity-problem.js';
import { hashToken, tokenId } from './token-hash.js';

export interface KnownToken {
  readonly actor: string;
  readonly hash: Uint8Array;
  readonly id: string;
  readonly groups: readonly string[];
  readonly scopes: readonly string[];
  readonly tenant?: string;
  readonly expires?: number;
  readonly created?: number;
  /** The file contains the token itself, not its hash. */
  readonly plain: boolean;
  readonly guessable: boolean;
}

/** Tokens made here have 51 characters. */
const shortest = 24;

const hashForm = /^sha256:([0-9a-f]{64})$/i;
const entryKeys = ['hash', 'groups', 'scopes', 'tenant', 'expires', 'created'] as const;
const hint =
  'Write { "actor": "sha256:<64 hex digits>" } or { "actor": { "hash": "sha256:…", "groups": […], "expires": "2027-01-31" } }; trellis token create does it for you.';

/** Reads `{ "actor": token, … }`, where a token is a string, an object or a list of these. */
export function parseTokens(text: string, path: string): readonly KnownToken[] {
  const source = new YamlReader(text, path, 'TOKENS_INVALID');
  const tokens: KnownToken[] = [];
  for (const [actor, { key, value }] of source.entries(source.root, 'the file of tokens')) {
    const problem = identityProblem(actor);
    if (problem !== undefined) source.addError(key, `the actor ${JSON.stringify(actor)} ${problem}.`);
    const given = isSeq(value) ? source.list(value, 'the tokens') : [value];
    for (const item of given) tokens.push(...(readToken(source, actor, item) ?? []));
  }
  refuseShared(source, tokens);
  source.throwIfInvalid(hint);
  return tokens;
}

function readToken(source: YamlReader, actor: string, at: YamlValue): readonly KnownToken[] | undefined {
  if (isScalar(at)) {
    const secret = readSecret(source, actor, at);
    return secret === undefined ? undefined : [{ actor, ...secret, groups: [], scopes: [] }];
  }
  const fields = source.fields(at, `the token of ${actor}`, entryKeys);
  const hash = fields.get('hash');
  if (hash === undefined) {
    source.addError(at, `the token of ${actor} has no "hash".`);
    return undefined;
  }
  const secret = readSecret(source, actor, hash.value);
  if (secret === undefined) return undefined;
  const tenant = fields.get('tenant');
  const expires = fields.get('expires');
  const created = fields.get('created');
  return [
    {
      actor,
      ...secret,
      groups: readNames(source, actor, 'groups', fields.get('groups')?.value),
      scopes: readNames(source, actor, 'scopes', fields.get('scopes')?.value),
      ...(tenant && optional('tenant', readName(source, tenant.value, `the tenant of ${actor}`))),
      ...(expires && optional('expires', readTime(source, expires.value, `"expires" of ${actor}`))),
      ...(created && optional('created', readTime(source, created.value, `"created" of ${actor}`))),
    },
  ];
}

/** A token in clear is hashed here. No message shows a token or hash. */
function readSecret(
  source: YamlReader,
  actor: string,
  at: YamlValue,
): Pick<KnownToken, 'hash' | 'id' | 'plain' | 'guessable'> | undefined {
  const text = source.text(at, `the token of ${actor}`);
  if (text === undefined) return undefined;
  const digits = hashForm.exec(text)?.[1];
  if (digits === undefined && (text.startsWith('sha256:') || !isBearerToken(text))) {
    source.addError(
      at,
      `the token of ${actor} is neither sha256: with 64 hex digits nor a token that can be sent.`,
    );
    return undefined;
  }
  const hash = digits === undefined ? hashToken(text) : Buffer.from(digits, 'hex');
  const plain = digits === undefined;
  return { hash, id: tokenId(hash), plain, guessable: plain && text.length < shortest };
}

function readNames(
  source: YamlReader,
  actor: string,
  what: 'groups' | 'scopes',
  at: YamlValue,
): readonly string[] {
  if (at === undefined) return [];
  const names = source.list(at, `"${what}" of ${actor}`);
  if (names.length > accessLimits.groups)
    source.addError(at, `${actor} has ${names.length} ${what}; at most ${accessLimits.groups} are allowed.`);
  return names.flatMap((name) => readName(source, name, `a ${what.slice(0, -1)} of ${actor}`) ?? []);
}

function readName(source: YamlReader, at: YamlValue, what: string): string | undefined {
  const name = source.text(at, what);
  const problem = name === undefined ? undefined : identityProblem(name);
  if (problem !== undefined) source.addError(at, `${what} ${problem}.`);
  return name;
}

function readTime(source: YamlReader, at: YamlValue, what: string): number | undefined {
  const text = source.text(at, what);
  if (text === undefined) return undefined;
  const time = /^\d{4}-\d{2}-\d{2}(T.+)?$/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(time))
    source.addError(at, `${what} is not a date like 2027-01-31 or 2027-01-31T12:00:00Z.`);
  return time;
}

function refuseShared(source: YamlReader, tokens: readonly KnownToken[]): void {
  const owners = new Map<string, string>();
  for (const { hash, actor } of tokens) {
    const digits = Buffer.from(hash).toString('hex');
    const owner = owners.get(digits);
    if (owner !== undefined) source.addError(source.root, `${owner} and ${actor} have the same token.`);
    owners.set(digits, actor);
  }
}

function optional<K extends string, T>(key: K, value: T | undefined): Partial<Record<K, T>> {
  const found: Partial<Record<K, T>> = {};
  if (value !== undefined) found[key] = value;
  return found;
}
