import { responseMessages } from './response-messages.js';
import { protocolHeaders, protocolVersionOf, type RpcMessage } from './rpc-message.js';
import { failureFromResponse } from './upstream-failure.js';

export interface ProxyCredentials {
  /** Undefined: requests are sent without. */
  readonly token: string | undefined;
  /** For when the server refuses the token. */
  readonly hint: string;
  /** A token from a command may have expired. */
  renewed?(): Promise<ProxyCredentials>;
}

export interface UpstreamOptions {
  readonly url: URL;
  readonly headers?: Readonly<Record<string, string>>;
  readonly credentials: ProxyCredentials;
}

export type SendResult =
  | { readonly accepted: true; readonly messages: AsyncGenerator<string> }
  | { readonly accepted: false; readonly refusal: Awaited<ReturnType<typeof failureFromResponse>> };

/** Redirects are not followed: a token is for one server. */
export class Upstream {
  readonly url: URL;
  readonly #headers: Readonly<Record<string, string>>;
  #credentials: ProxyCredentials;
  #renewal: Promise<ProxyCredentials> | undefined;
  /** Assigned by servers of the 2025 protocol that keep sessions. */
  #session: string | undefined;
  #version: string | undefined;

  constructor({ url, headers = {}, credentials }: UpstreamOptions) {
    this.url = url;
    this.#headers = headers;
    this.#credentials = credentials;
  }

  async send(message: RpcMessage, signal: AbortSignal): Promise<SendResult> {
    const starts = message.method === 'initialize';
    if (starts) this.#forget();
    const response = await this.#ask(
      {
        method: 'POST',
        headers: {
          ...this.#sessionHeaders(message),
          ...protocolHeaders(message),
          'Content-Type': 'application/json',
          Accept: 'application/json, text/event-stream',
        },
        body: message.text,
      },
      signal,
    );
    if (!response.ok) return { accepted: false, refusal: await this.#refusal(response, message) };
    if (starts) this.#session = response.headers.get('mcp-session-id') ?? undefined;
    return { accepted: true, messages: responseMessages(response) };
  }

  setProtocolVersion(version: string): void {
    if (/^[\w.-]{1,64}$/.test(version)) this.#version = version;
  }

  /** Messages that no request asked for; undefined if the server has no stream for them. */
  async listen(
    signal: AbortSignal,
    { from, seen }: { readonly from: string | undefined; readonly seen: (id: string) => void },
  ): Promise<AsyncGenerator<string> | undefined> {
    const headers = {
      ...this.#sessionHeaders(),
      Accept: 'text/event-stream',
      ...(from === undefined ? {} : { 'Last-Event-ID': from }),
    };
    const response = await this.#ask({ method: 'GET', headers }, signal);
    if (response.ok) return responseMessages(response, { seen });
    await response.body?.cancel();
    return undefined;
  }

  async end(): Promise<void> {
    if (this.#session === undefined) return;
    const patience = AbortSignal.timeout(2_000);
    const response = await this.#ask({ method: 'DELETE', headers: this.#sessionHeaders() }, patience).catch(
      () => undefined,
    );
    await response?.body?.cancel();
    this.#forget();
  }

  #forget(): void {
    this.#session = undefined;
    this.#version = undefined;
  }

  #sessionHeaders(message?: RpcMessage): Record<string, string> {
    const modern = message !== undefined && protocolVersionOf(message) !== undefined;
    return {
      ...(this.#session === undefined || modern ? {} : { 'Mcp-Session-Id': this.#session }),
      ...(this.#version === undefined || modern ? {} : { 'Mcp-Protocol-Version': this.#version }),
    };
  }

  /** A 401 means that nothing was done, so the request can be repeated with a new token. */
  async #ask(
    init: { readonly method: string; readonly headers: Record<string, string>; readonly body?: string },
    signal: AbortSignal,
  ): Promise<Response> {
    const ask = () => {
      const { token } = this.#credentials;
      const bearer = token === undefined ? {} : { Authorization: `Bearer ${token}` };
      const headers = { ...this.#headers, ...init.headers, ...bearer };
      return fetch(this.url, { ...init, headers, redirect: 'manual', signal });
    };
    const used = this.#credentials;
    const response = await ask();
    if (response.status !== 401 || used.renewed === undefined) return response;
    await response.body?.cancel();
    await this.#renew(used);
    return ask();
  }

  /** Concurrent requests share one renewal. */
  async #renew(used: ProxyCredentials): Promise<void> {
    if (this.#credentials !== used) return;
    this.#renewal ??= used.renewed?.().finally(() => {
      this.#renewal = undefined;
    });
    this.#credentials = (await this.#renewal) ?? used;
  }

  #refusal(response: Response, message: RpcMessage): ReturnType<typeof failureFromResponse> {
    return failureFromResponse(response, message, { url: this.url, tokenHint: this.#credentials.hint });
  }
}
