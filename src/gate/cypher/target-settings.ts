import { type CypherSettings, isFalkorUrl } from '../../cypher/cypher-settings.js';
import { TrellisError } from '../../model/error.js';
import type { GateSettings } from '../gate-settings.js';

type Environment = Readonly<Record<string, string | undefined>>;

const defaultUser = 'neo4j';

/** How to reach the target of a gate; undefined if it writes to its own graph. */
export function targetSettings(
  { target, database, auth }: GateSettings,
  env: Environment = process.env,
): CypherSettings | undefined {
  if (target === undefined) return undefined;
  return { url: target, database, ...(auth === undefined ? authIn(target, env) : namedAuth(auth, env)) };
}

/** For targets given on the command line. */
export function authIn(
  url: string,
  env: Environment = process.env,
): Pick<CypherSettings, 'user' | 'password'> {
  const password = env['TRELLIS_GATE_PASSWORD'];
  if (password === undefined || password === '') return {};
  return { user: env['TRELLIS_GATE_USER'] ?? (isFalkorUrl(url) ? undefined : defaultUser), password };
}

function namedAuth({ user, password_env }: NonNullable<GateSettings['auth']>, env: Environment) {
  const password = env[password_env];
  if (password !== undefined && password !== '') return { user, password };
  throw new TrellisError('USAGE', `gate.auth.password_env names ${password_env}, which is not set.`, {
    hint: 'Set that environment variable, or leave auth out.',
  });
}
