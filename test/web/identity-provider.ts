import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { exportJWK, generateKeyPair } from 'jose';
import Provider, { type Context } from 'oidc-provider';

const audience = 'https://memory.example.com';
const clientId = 'trellis-explorer';

/**
 * A certified OpenID provider (npm oidc-provider) on this machine, under another site than the server's. Its login page has
 * a button for Ann and one to cancel.
 */
export class IdentityProvider {
  readonly issuer: string;
  readonly audience = audience;
  readonly clientId = clientId;
  /** Whether access tokens are for this server; if not, they are opaque. */
  issuesForServer = true;
  /** Sees each request first; true if it has answered. */
  intercept: ((request: IncomingMessage, response: ServerResponse) => boolean) | undefined;
  readonly close: () => Promise<void>;
  #handle: ((request: IncomingMessage, response: ServerResponse) => void) | undefined;
  #provider: Provider | undefined;

  private constructor(issuer: string, close: () => Promise<void>) {
    this.issuer = issuer;
    this.close = close;
  }

  static async start(): Promise<IdentityProvider> {
    const server = createServer((request, response) => started.#respond(request, response));
    await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
    // Where there is no browser, nothing closes it.
    server.unref();
    const address = server.address();
    if (typeof address !== 'object' || address === null) throw new Error('No address.');
    const started: IdentityProvider = new IdentityProvider(
      `http://localhost:${address.port}`,
      () =>
        new Promise((resolve) => {
          server.close(() => resolve());
          server.closeAllConnections();
        }),
    );
    return started;
  }

  /** Registers the explorer, once its address is known. */
  async register(redirectUri: string): Promise<void> {
    const { privateKey } = await generateKeyPair('RS256', { extractable: true });
    const client = {
      client_id: clientId,
      redirect_uris: [redirectUri],
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code'],
      response_types: ['code'],
    };
    this.#provider = new Provider(this.issuer, {
      clients: [client],
      jwks: { keys: [{ ...(await exportJWK(privateKey)), kid: 'one', alg: 'RS256', use: 'sig' }] },
      cookies: { keys: ['a secret of the tests'] },
      findAccount: (_: Context, accountId: string) => ({ accountId, claims: () => ({ sub: accountId }) }),
      interactions: { url: () => '/login' },
      ttl: { AccessToken: 3600, Session: 3600, Grant: 3600, Interaction: 3600, IdToken: 3600 },
      loadExistingGrant,
      features: {
        devInteractions: { enabled: false },
        resourceIndicators: {
          enabled: true,
          defaultResource: () => (this.issuesForServer ? audience : undefined),
          useGrantedResource: () => true,
          getResourceServerInfo: () => ({
            scope: 'memory',
            audience,
            accessTokenFormat: 'jwt',
            accessTokenTTL: 3600,
          }),
        },
      },
    });
    this.#handle = this.#provider.callback();
  }

  #respond(request: IncomingMessage, response: ServerResponse): void {
    if (this.intercept?.(request, response) === true) return;
    const { pathname, search } = new URL(request.url ?? '', this.issuer);
    if (pathname === '/favicon.ico') response.writeHead(204).end();
    else if (pathname !== '/login') this.#handle?.(request, response);
    else if (search === '') {
      response.setHeader('content-type', 'text/html').end(loginPage);
    } else {
      const result =
        search === '?cancel'
          ? { error: 'access_denied', error_description: 'End-User aborted interaction' }
          : { login: { accountId: 'ann' } };
      void this.#provider?.interactionFinished(request, response, result);
    }
  }
}

const loginPage = `<!doctype html><html lang="en"><title>Log in</title>
<h1>Example identity provider</h1><a href="/login?as=ann">Log in as Ann</a> <a href="/login?cancel">Cancel</a></html>`;

/** Consent was given beforehand. */
async function loadExistingGrant({ oidc: { client, session, provider } }: Context): Promise<object> {
  const grant = new provider.Grant({ clientId: client.clientId, accountId: session.accountId });
  grant.addOIDCScope('openid');
  grant.addResourceScope(audience, 'memory');
  await grant.save();
  return grant;
}
