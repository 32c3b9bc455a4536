import type { Readable } from 'node:stream';
import type { z } from 'zod';
import { type ErrorCode, errorCodes, TrellisError } from '../../model/error.js';
import { isRecord } from '../../model/is-record.js';
import { parseJsonOrUndefined } from '../../model/json.js';
import { readBodyText } from '../../proxy/response-messages.js';
import { describeRefusal, unreachableHint, unreachableMessage } from '../../proxy/upstream-failure.js';
import { isShaped } from './is-shaped.js';
import type { ServerAddress } from './server-address.js';

export interface RemoteRequest {
  readonly method: string;
  /** Encoded, below the URL of the server. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: string | Readable;
  readonly contentType?: string;
}

/** Redirects are not followed: a token is for one server. */
export class RemoteServer {
  readonly #url: URL;
  readonly #credentials: ServerAddress['credentials'];

  constructor({ url, credentials }: ServerAddress) {
    this.#url = url;
    this.#credentials = credentials;
  }

  get origin(): string {
    return this.#url.origin;
  }

  /** A successful response; anything else is thrown as the error that the server reports. */
  async #send({ method, path, query = {}, body, contentType }: RemoteRequest): Promise<Response> {
    const url = new URL(this.#url);
    url.pathname = `${url.pathname.replace(/\/$/, '')}/${path}`;
    url.search = new URLSearchParams(query).toString();
    const { token } = this.#credentials;
    const headers = {
      ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
      ...(contentType === undefined ? {} : { 'Content-Type': contentType }),
    };
    const content = body === undefined ? {} : { body, duplex: 'half' as const };
    const response = await fetch(url, { method, headers, ...content, redirect: 'manual' }).catch((error) => {
      throw this.#unreachable(error);
    });
    if (response.ok) return response;
    throw await this.#refusal(response);
  }

  #unreachable(error: unknown): TrellisError {
    return new TrellisError('SERVER_UNAVAILABLE', unreachableMessage(error, this.#url), {
      hint: unreachableHint,
      cause: error,
    });
  }

  async json<T>(request: RemoteRequest, shape: z.ZodType<T>): Promise<T> {
    const { body } = await this.#send(request);
    const text = body === null ? '' : await readBodyText(body);
    const answer = parseJsonOrUndefined(text);
    if (isShaped(answer, shape)) return answer;
    throw notTrellis(`${this.origin} answered, but not as Trellis does.`);
  }

  async *stream(request: RemoteRequest): AsyncGenerator<Uint8Array> {
    const { body } = await this.#send(request);
    try {
      yield* body ?? [];
    } catch (error) {
      throw this.#unreachable(error);
    }
  }

  async #refusal(response: Response): Promise<TrellisError> {
    const { body, status } = response;
    const text = body === null ? '' : await readBodyText(body).catch(() => '');
    const answer = parseJsonOrUndefined(text);
    const error = isRecord(answer) ? answer['error'] : undefined;
    if (isRecord(error) && typeof error['code'] === 'string') return reportedError(error);
    const where = { url: this.#url, tokenHint: this.#credentials.hint };
    const { message, hint } = describeRefusal(response, text, where);
    const isForeign = error === undefined && status >= 402 && status < 500;
    if (isForeign) return notTrellis(`${this.origin} answered ${status}, but not as Trellis does.`);
    return new TrellisError(codesByStatus.get(status) ?? 'SERVER_UNAVAILABLE', message, {
      ...(hint === undefined ? {} : { hint }),
    });
  }
}

/** Of requests that are refused before they reach a route. */
const codesByStatus: ReadonlyMap<number, ErrorCode> = new Map([
  [401, 'UNAUTHENTICATED'],
  [403, 'FORBIDDEN'],
  [413, 'LIMIT_EXCEEDED'],
  [429, 'SERVER_BUSY'],
]);

function notTrellis(message: string): TrellisError {
  return new TrellisError('SERVER_UNAVAILABLE', message, {
    hint: 'Check --url: another program may be listening there, or another version of Trellis.',
  });
}

/** The server may be newer and know other codes. */
function reportedError({ code, message, hint, ...details }: Readonly<Record<string, unknown>>): TrellisError {
  const isKnown = (text: unknown): text is ErrorCode =>
    typeof text === 'string' && Object.hasOwn(errorCodes, text);
  return new TrellisError(isKnown(code) ? code : 'SERVER_UNAVAILABLE', String(message), {
    ...(code === 'GRAPH_NOT_FOUND'
      ? {
          hint: 'Choose a graph that you have a grant on with --graph; the operator of the server knows them.',
        }
      : typeof hint === 'string'
        ? { hint }
        : {}),
    ...(Object.keys(details).length === 0 ? {} : { details }),
  });
}
