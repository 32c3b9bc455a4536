import { request } from '../../api/request.js';
import { Loading } from '../../parts/loading.js';
import { visibleText } from '../../parts/text.js';
import { type Provider, signInProblem } from '../../state/provider-sign-in.js';
import { hasSignedOut, isFromProvider, token } from '../../state/session.js';
import { useLoad } from '../../state/use-load.js';
import { ProviderOffer } from './provider-offer.js';
import { TokenForm } from './token-form.js';

/** Asks who the reader is, where the server requires it. */
export function SignIn() {
  const ways = useLoad(
    ['sign-in'],
    (signal) => request<{ readonly provider?: Provider }>('GET', 'sign-in', { signal }),
    { isLive: false },
  );
  return (
    <div class="sign-in">
      <h1>Sign in</h1>
      <Reason />
      <Loading from={ways}>{({ provider }) => provider && <ProviderOffer provider={provider} />}</Loading>
      <TokenForm />
    </div>
  );
}

/** Why the reader is asked. */
function Reason() {
  if (hasSignedOut.value) {
    return (
      <p class="notice" role="status">
        You are signed out.
        {isFromProvider.value && ' To sign out of the identity provider as well, go to its page.'}
      </p>
    );
  }
  const reason = token.value === undefined ? problemText() : refusedText();
  if (reason === undefined) return null;
  return (
    <p class="notice problem" role="alert">
      {reason}
    </p>
  );
}

function problemText(): string | undefined {
  if (signInProblem.value === undefined) return undefined;
  const { message, hint } = signInProblem.value;
  return visibleText(hint === undefined ? message : `${message} ${hint}`);
}

function refusedText(): string {
  return isFromProvider.value
    ? 'Your sign-in has expired. Sign in again to go on where you were.'
    : 'The server does not accept this token. It may have been revoked or have expired.';
}
