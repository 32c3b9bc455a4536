import { signal } from '@preact/signals';

const key = 'trellis.token';

/** Kept for this tab only: closing it signs out. */
export const token = signal(sessionStorage.getItem(key) ?? undefined);
/** Whether the server refused the last request for want of a valid token. */
export const needsSignIn = signal(false);

export function signIn(given: string): void {
  sessionStorage.setItem(key, given);
  token.value = given;
  needsSignIn.value = false;
}

export function signOut(): void {
  sessionStorage.removeItem(key);
  token.value = undefined;
  needsSignIn.value = true;
}
