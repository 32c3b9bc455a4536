import { fetchJson } from './fetch-json.js';
import { checkProviderUrl } from './oidc-settings.js';

/** The document must be the issuer's own, or another could impersonate it. */
export async function discoverKeysUrl(issuer: string): Promise<URL> {
  const url = new URL(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`);
  const document = await fetchJson(url);
  if (typeof document !== 'object' || document === null) throw new Error(`${url.href} is not a JSON object`);
  if (!('issuer' in document) || document.issuer !== issuer)
    throw new Error(`${url.href} describes another issuer than ${issuer}`);
  if (!('jwks_uri' in document) || typeof document.jwks_uri !== 'string')
    throw new Error(`${url.href} has no jwks_uri`);
  return checkProviderUrl(document.jwks_uri, 'The jwks_uri of the issuer');
}
