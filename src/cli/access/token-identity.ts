import type { Actor } from '../../access/actor.js';
import { actorFromToken, readTokens, type TokenSource } from '../../access/tokens/token-authenticator.js';
import type { KnownToken } from '../../access/tokens/token-file.js';
import { TrellisError } from '../../model/error.js';
import { pluralize } from '../pluralize.js';

export async function tokenIdentity(source: TokenSource, actor: string): Promise<Actor | undefined> {
  const tokens = (await readTokens(source)).filter((token) => token.actor === actor);
  const identities = new Map(tokens.map((token) => [JSON.stringify(actorFromToken(token)), token]));
  const [first, ...others] = [...identities.values()];
  if (others.length === 0) return first && actorFromToken(first);
  throw new TrellisError(
    'USAGE',
    `${actor} has ${pluralize(tokens.length, 'token')} that say different things: ${tokens.map(tokenFacts).join('; ')}.`,
    { hint: 'Say with --groups, --tenant and --scopes which one you mean.' },
  );
}

function tokenFacts({ id, groups, scopes, tenant }: KnownToken): string {
  const facts = [
    groups.length === 0 ? 'no groups' : `groups ${groups.join(', ')}`,
    ...(scopes.length === 0 ? [] : [`scopes ${scopes.join(', ')}`]),
    ...(tenant === undefined ? [] : [`tenant ${tenant}`]),
  ];
  return `${id} (${facts.join(', ')})`;
}
