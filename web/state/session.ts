import { signal } from '@preact/signals';

const key = 'trellis.token';
const providerKey = 'trellis.token-from-provider';

/** Kept for this tab only: closing it signs out. */
export const token = signal(sessionStorage.getItem(key) ?? undefined);
/** Whether the token is one of the identity provider, rather than typed in. */
export const isFromProvider = signal(sessionStorage.getItem(providerKey) !== null);
/** Whether the server refused the last request for want of a valid token. */
export const needsSignIn = signal(false);
/** Whether the reader chose to leave, rather than being asked to sign in. */
export const hasSignedOut = signal(false);

export function signIn(given: string, { fromProvider = false } = {}): void {
  sessionStorage.setItem(key, given);
  if (fromProvider) sessionStorage.setItem(providerKey, 'true');
  else sessionStorage.removeItem(providerKey);
  isFromProvider.value = fromProvider;
  hasSignedOut.value = false;
  token.value = given;
  needsSignIn.value = false;
}

export function forgetToken(): void {
  sessionStorage.removeItem(key);
  token.value = undefined;
}

export function signOut(): void {
  forgetToken();
  hasSignedOut.value = true;
  needsSignIn.value = true;
}
