import { signal } from '@preact/signals';
import { ApiError, request } from '../api/request.js';
import { goTo } from './address.js';
import { forgetToken, hasSignedOut, needsSignIn, signIn, token } from './session.js';
import { sayError } from './toasts.js';
import { asApiError } from './use-load.js';

/** The identity provider, as `GET /sign-in` describes it. */
export interface Provider {
  readonly issuer: string;
  readonly authorization_endpoint: string;
  readonly client_id: string;
  readonly scope: string;
  /** The address of this page. */
  readonly redirect_uri: string;
}

/** What this tab remembers while the reader is at the provider. */
interface Attempt {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  readonly issuer: string;
  /** Where the reader was, to go on there. */
  readonly hash: string;
}

const key = 'trellis.sign-in';

/** Why the last sign-in failed. */
export const signInProblem = signal<ApiError | undefined>(undefined);

/** Leaves for the provider. */
export async function beginSignIn(provider: Provider): Promise<void> {
  const attempt: Attempt = {
    state: randomText(),
    nonce: randomText(),
    verifier: randomText(),
    issuer: provider.issuer,
    hash: location.hash,
  };
  sessionStorage.setItem(key, JSON.stringify(attempt));
  // Refused, or the reader would not be asked.
  forgetToken();
  const url = new URL(provider.authorization_endpoint);
  const parameters = {
    response_type: 'code',
    client_id: provider.client_id,
    redirect_uri: provider.redirect_uri,
    scope: provider.scope,
    state: attempt.state,
    nonce: attempt.nonce,
    code_challenge: await challengeOf(attempt.verifier),
    code_challenge_method: 'S256',
    // The provider would sign in the same person again without asking.
    ...(hasSignedOut.value ? { prompt: 'login' } : {}),
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  location.assign(url);
}

/** If the reader comes back from the provider, goes on where they were. */
export async function finishSignIn(): Promise<void> {
  const answer = new URLSearchParams(location.search);
  if (!answer.has('code') && !answer.has('error')) return;
  // A reload must not send the code again, and a copied address must not contain it.
  history.replaceState(null, '', location.pathname);
  const attempt = takeAttempt();
  if (attempt?.hash.startsWith('#/')) goTo(attempt.hash, { replace: true });
  try {
    signIn(await exchange(answer, attempt), { fromProvider: true });
    signInProblem.value = undefined;
  } catch (error) {
    // Whoever is signed in stays so: anybody can make a link with a wrong answer.
    if (token.value !== undefined) return sayError(error);
    signInProblem.value = asApiError(error);
    needsSignIn.value = true;
  }
}

async function exchange(answer: URLSearchParams, attempt: Attempt | undefined): Promise<string> {
  const issuer = answer.get('iss');
  if (attempt === undefined || answer.get('state') !== attempt.state)
    throw failure('This sign-in was not started in this tab, or is over.');
  if (issuer !== null && issuer !== attempt.issuer)
    throw failure('Another identity provider answered than the one you were sent to.');
  const code = answer.get('code');
  if (code === null) throw refusal(answer);
  const { token: given } = await request<{ readonly token: string }>('POST', 'sign-in', {
    body: { code, code_verifier: attempt.verifier, nonce: attempt.nonce },
  });
  return given;
}

function refusal(answer: URLSearchParams): ApiError {
  const code = answer.get('error') ?? '';
  if (code === 'access_denied') return failure('The sign-in was cancelled, or you may not use this server.');
  const description = answer.get('error_description')?.slice(0, 300);
  return failure(`The identity provider refused the sign-in: ${description ?? code.slice(0, 100)}`);
}

function failure(message: string): ApiError {
  return new ApiError(0, { code: 'SIGN_IN_FAILED', message, hint: 'Sign in again.' });
}

/** Each is used once. */
function takeAttempt(): Attempt | undefined {
  const text = sessionStorage.getItem(key);
  sessionStorage.removeItem(key);
  return text === null ? undefined : JSON.parse(text);
}

/** 256 bits in the characters of RFC 7636. */
function randomText(): string {
  return base64url(crypto.getRandomValues(new Uint8Array(32)));
}

async function challengeOf(verifier: string): Promise<string> {
  return base64url(new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier))));
}

function base64url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}
