import type { JWTPayload } from 'jose';
import { TrellisError } from '../../model/error.js';
import { isRecord } from '../../model/is-record.js';
import { type Authenticator, authenticationFailureOf } from '../authenticator.js';
import type { SignInAnswer, SignInProvider } from '../sign-in-provider.js';
import { discover, type ProviderMetadata, urlIn } from './discovery.js';
import { fetchJson } from './fetch-json.js';
import type { OidcSettings } from './oidc-settings.js';
import { providerUnavailable, RemoteDocument, type RemoteOptions } from './remote-document.js';

interface SignInOptions extends RemoteOptions {
  readonly authenticator: Authenticator;
  readonly verifyIdToken: (token: string) => Promise<JWTPayload>;
}

type SignInSettings = Pick<OidcSettings, 'issuer' | 'scopes'> & { readonly clientId: string };

interface Endpoints {
  readonly authorization: URL;
  readonly token: URL;
}

const unavailable = 'Signing in is not possible at the moment.';

/** OpenID Connect Core 3.1 with RFC 7636. The page keeps state, nonce and verifier; the server keeps nothing. */
export function codeSignIn(
  { issuer, clientId, scopes = [] }: SignInSettings,
  options: SignInOptions,
): SignInProvider {
  const endpoints = new RemoteDocument<Endpoints>(
    async () => endpointsOf(await discover(issuer)),
    { name: 'endpoints', unavailable },
    options,
  );
  return {
    async describe() {
      const { authorization } = await endpoints.current();
      const scope = [...new Set(['openid', ...scopes])].join(' ');
      return { issuer, authorization_endpoint: authorization.href, client_id: clientId, scope };
    },
    async exchange(answer) {
      const tokens = await requestTokens((await endpoints.current()).token, clientId, answer);
      await checkIdToken(tokens.idToken, clientId, answer.nonce, options.verifyIdToken);
      return acceptedToken(tokens, options.authenticator);
    },
  };
}

function endpointsOf(metadata: ProviderMetadata): Endpoints {
  const methods = metadata['code_challenge_methods_supported'];
  // Some providers support it without saying so.
  if (Array.isArray(methods) && !methods.includes('S256'))
    throw new Error('The issuer does not support PKCE with S256');
  return {
    authorization: urlIn(metadata, 'authorization_endpoint'),
    token: urlIn(metadata, 'token_endpoint'),
  };
}

interface Tokens {
  readonly accessToken: string | undefined;
  readonly idToken: string;
}

async function requestTokens(endpoint: URL, clientId: string, answer: SignInAnswer): Promise<Tokens> {
  const form = new URLSearchParams({
    grant_type: 'authorization_code',
    code: answer.code,
    redirect_uri: answer.redirectUri,
    client_id: clientId,
    code_verifier: answer.codeVerifier,
  });
  const response = await fetchJson(endpoint, { form, statuses: [200, 400, 401] }).catch((error: unknown) => {
    throw providerUnavailable(unavailable, error);
  });
  const { error, access_token, id_token } = isRecord(response) ? response : {};
  if (error !== undefined) throw refusedByProvider(error);
  if (typeof id_token !== 'string')
    throw signInFailed('The identity provider does not say who signed in.', 'no id_token in the response');
  return { accessToken: typeof access_token === 'string' ? access_token : undefined, idToken: id_token };
}

/** Its description may quote what was sent, so only the code is repeated. */
function refusedByProvider(error: unknown): TrellisError {
  if (error === 'invalid_grant')
    return signInFailed('This sign-in is over: it was used already, or took too long.', error);
  const code = typeof error === 'string' && /^[a-z_]{1,64}$/.test(error) ? error : 'an unknown error';
  return signInFailed(`The identity provider refused the sign-in: ${code}.`, code);
}

/** An id token of another sign-in would sign in whoever that one was for. */
async function checkIdToken(
  token: string,
  clientId: string,
  nonce: string,
  verify: SignInOptions['verifyIdToken'],
): Promise<void> {
  const claims = await verify(token).catch((error: unknown) => {
    const failure = authenticationFailureOf(error);
    if (failure === undefined) throw error;
    throw signInFailed('The identity provider sent an invalid id token.', failure.message);
  });
  if (claims['nonce'] !== nonce)
    throw signInFailed('This sign-in was not started here.', 'the nonce of the id token is another one');
  if (claims['azp'] !== undefined && claims['azp'] !== clientId)
    throw signInFailed('The identity provider sent an invalid id token.', 'it is for another client (azp)');
}

/** The access token if it is for this server; else the id token, if the operator allows its audience. */
async function acceptedToken(
  { accessToken, idToken }: Tokens,
  authenticator: Authenticator,
): Promise<string> {
  const reasons: string[] = [];
  for (const [name, token] of Object.entries({ access_token: accessToken, id_token: idToken })) {
    if (token === undefined) continue;
    try {
      await authenticator.authenticate(token);
      return token;
    } catch (error) {
      const failure = authenticationFailureOf(error);
      if (failure === undefined) throw error;
      reasons.push(`${name}: ${failure.message}`);
    }
  }
  throw signInFailed(
    'You signed in, but the identity provider issued no token that this server accepts.',
    reasons.join('; '),
    'The operator of the server finds the reason in its log.',
  );
}

function signInFailed(message: string, reason: string, hint = 'Sign in again.'): TrellisError {
  return new TrellisError('SIGN_IN_FAILED', message, { hint, cause: new Error(reason) });
}
