import { isRecord } from '../../model/is-record.js';
import { fetchJson } from './fetch-json.js';
import { checkProviderUrl } from './oidc-settings.js';

/** The issuer's description of itself (OpenID Connect Discovery). */
export type ProviderMetadata = Readonly<Record<string, unknown>>;

/** The document must be the issuer's own, or another could impersonate it. */
export async function discover(issuer: string): Promise<ProviderMetadata> {
  const url = new URL(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`);
  const document = await fetchJson(url);
  if (!isRecord(document) || document['issuer'] !== issuer)
    throw new Error(`${url.href} describes another issuer than ${issuer}`);
  return document;
}

export function urlIn(metadata: ProviderMetadata, key: string): URL {
  const url = metadata[key];
  if (typeof url !== 'string') throw new Error(`The description of the issuer has no ${key}`);
  return checkProviderUrl(url, `The ${key} of the issuer`);
}
