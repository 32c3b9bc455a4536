import type { JWTPayload } from 'jose';
import { accessLimits } from '../../model/limits.js';
import type { Actor } from '../actor.js';
import { unauthenticated } from '../authenticator.js';
import { identityProblem } from '../identity-problem.js';

export interface ClaimNames {
  readonly actor: string;
  readonly groups: string;
  readonly tenant: string | undefined;
}

/** Invalid claims are refused rather than shortened: half a name is another name. */
export function actorFromClaims(claims: JWTPayload, names: ClaimNames): Actor {
  const tenant = names.tenant === undefined ? undefined : claim(claims, names.tenant);
  return {
    id: identityClaim(claim(claims, names.actor), names.actor),
    groups: groupsOf(claim(claims, names.groups), names.groups),
    ...(names.tenant === undefined || tenant === undefined
      ? {}
      : { tenant: identityClaim(tenant, names.tenant) }),
    scopes: scopesOf(claims),
    source: 'oidc',
  };
}

function claim(claims: JWTPayload, key: string): unknown {
  return Object.hasOwn(claims, key) ? claims[key] : undefined;
}

function identityClaim(value: unknown, key: string): string {
  if (typeof value !== 'string') throw unauthenticated(`the claim ${key} is not a string`);
  const problem = identityProblem(value);
  if (problem !== undefined) throw unauthenticated(`the claim ${key} ${problem}`);
  return value;
}

function groupsOf(value: unknown, key: string): readonly string[] {
  if (value === undefined || value === null) return [];
  const groups: readonly unknown[] = Array.isArray(value) ? value : [value];
  if (groups.length > accessLimits.groups) throw unauthenticated(`the claim ${key} has too many groups`);
  return groups.map((group) => identityClaim(group, key));
}

/** Providers write scopes as one string with spaces (`scope`) or as a list (`scp`). */
function scopesOf(claims: JWTPayload): readonly string[] {
  const key = claim(claims, 'scope') === undefined ? 'scp' : 'scope';
  const scope = claim(claims, key);
  const words = typeof scope === 'string' ? scope.split(' ') : Array.isArray(scope) ? scope : [];
  const scopes = words.filter((word) => typeof word === 'string' && word !== '');
  if (scopes.length > accessLimits.groups) throw unauthenticated(`the claim ${key} has too many scopes`);
  return scopes.map((word) => identityClaim(word, key));
}
