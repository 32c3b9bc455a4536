import { visibleText } from '../../parts/text.js';
import { beginSignIn, type Provider } from '../../state/provider-sign-in.js';
import { sayError } from '../../state/toasts.js';

/** The way to the identity provider, which comes back to one address only. */
export function ProviderOffer({ provider }: { readonly provider: Provider }) {
  const { issuer, redirect_uri } = provider;
  const name = visibleText(new URL(issuer).host);
  if (`${location.origin}${location.pathname}` !== redirect_uri) {
    return (
      <p>
        To sign in with {name}, go to <a href={`${redirect_uri}${location.hash}`}>{redirect_uri}</a>
      </p>
    );
  }
  if (!isSecureContext) {
    return (
      <p class="notice">
        To sign in with {name}, open this page with https://. The operator of this server puts a proxy with
        TLS in front of it.
      </p>
    );
  }
  return (
    <p>
      <button type="button" class="primary" onClick={() => void beginSignIn(provider).catch(sayError)}>
        Sign in with {name}
      </button>
    </p>
  );
}
