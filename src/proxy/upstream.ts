import { protocolHeaders, protocolVersionOf } from './request-headers.js';
import { responseMessages } from './response-messages.js';
import type { RpcMessage } from './rpc-message.js';
import { failureFromResponse } from './upstream-failure.js';

/** Where a token comes from. */
export interface ProxyCredentials {
  /** Undefined if there is none; then requests are sent without. */
  readonly token: string | undefined;
  /** What to do about it if the server asks for another. */
  readonly hint: string;
  /** Gets a new one, where that is possible: a token of a command may have expired. */
  renewed?(): Promise<ProxyCredentials>;
}

export interface UpstreamOptions {
  readonly url: URL;
  readonly headers?: Readonly<Record<string, string>>;
  readonly credentials: ProxyCredentials;
}

/** What became of a message that was sent: the texts of what came back, or why it was refused. */
export type SendResult =
  | { readonly taken: true; readonly messages: AsyncGenerator<string> }
  | { readonly taken: false; readonly refusal: Awaited<ReturnType<typeof failureFromResponse>> };

/** The server at the other end, spoken to over Streamable HTTP. Redirects are not followed: a token is for one server. */
export class Upstream {
  readonly url: URL;
  readonly #headers: Readonly<Record<string, string>>;
  #credentials: ProxyCredentials;
  #renewal: Promise<ProxyCredentials> | undefined;
  /** What a server of the protocol of 2025 gave at the start, if it keeps sessions. */
  #session: string | undefined;
  #version: string | undefined;

  constructor({ url, headers = {}, credentials }: UpstreamOptions) {
    this.url = url;
    this.#headers = headers;
    this.#credentials = credentials;
  }

  /** Sends one message. */
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
    if (!response.ok) return { taken: false, refusal: await this.#refusal(response, message) };
    if (starts) this.#session = response.headers.get('mcp-session-id') ?? undefined;
    return { taken: true, messages: responseMessages(response) };
  }

  /** From now on the connection speaks this version of the protocol of 2025. */
  setProtocolVersion(version: string): void {
    if (/^[\w.-]{1,64}$/.test(version)) this.#version = version;
  }

  /** What the server sends on its own, where it has a stream for that; undefined where it has none. */
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

  /** Ends the session, if the server keeps one. */
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

  /** Nothing was done by a request that is answered with 401, so it may be sent again with a new token. */
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

  /** Requests that are refused together are helped by one new token. */
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
