/** Where people sign in with a browser: OAuth's authorization code with PKCE, as a public client. */
export interface SignInProvider {
  /** What the page needs to send a person there. */
  describe(): Promise<SignInDescription>;
  /**
   * Exchanges the code that a person came back with for a token that `authenticate` accepts. Rejects with
   * `SIGN_IN_FAILED`, whose cause is for the log, or with `IDENTITY_PROVIDER_UNAVAILABLE`.
   */
  exchange(answer: SignInAnswer): Promise<string>;
}

export interface SignInDescription {
  readonly issuer: string;
  readonly authorization_endpoint: string;
  readonly client_id: string;
  readonly scope: string;
}

export interface SignInAnswer {
  readonly code: string;
  readonly codeVerifier: string;
  readonly nonce: string;
  /** The same as in the request to the authorization endpoint. */
  readonly redirectUri: string;
}
