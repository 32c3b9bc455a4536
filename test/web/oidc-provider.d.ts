/** The part of it that the tests use; @types/oidc-provider brings a web framework along. */
declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http';

  interface Grant {
    addOIDCScope(scope: string): void;
    addResourceScope(resource: string, scope: string): void;
    save(): Promise<string>;
  }

  interface Oidc {
    readonly client: { readonly clientId: string };
    readonly session: { readonly accountId: string };
    readonly provider: Provider;
  }

  export default class Provider {
    constructor(issuer: string, configuration: object);
    readonly Grant: new (owner: {
      readonly clientId: string;
      readonly accountId: string;
    }) => Grant;
    callback(): (request: IncomingMessage, response: ServerResponse) => void;
    interactionFinished(request: IncomingMessage, response: ServerResponse, result: object): Promise<void>;
  }

  export interface Context {
    readonly oidc: Oidc;
  }
}
