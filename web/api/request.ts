import { needsSignIn, token } from '../state/session.js';
import type { Conflict } from './types.js';

export interface RequestOptions {
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>> | undefined;
  readonly body?: unknown;
  readonly signal?: AbortSignal | undefined;
  readonly accept?: string;
}

interface ErrorBody {
  readonly code?: string | number;
  readonly message?: string;
  readonly hint?: string;
  readonly conflicts?: readonly Conflict[];
  readonly line?: number;
  readonly problems?: unknown;
}

/** What the server refused, in its own words. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly hint: string | undefined;
  readonly body: ErrorBody;

  constructor(status: number, body: ErrorBody) {
    super(body.message ?? `The server answered with status ${status}.`);
    this.status = status;
    this.code = String(body.code ?? '');
    this.hint = body.hint;
    this.body = body;
  }

  /** Not for this reader, or not on this server: what it would show is left out. */
  get isHidden(): boolean {
    return this.status === 403 || this.status === 404 || this.status === 405;
  }
}

/** Sends a request below the address of the page. */
export async function request<T>(method: string, path: string, options: RequestOptions = {}): Promise<T> {
  const response = await send(method, path, options);
  return response.json();
}

export async function send(method: string, path: string, options: RequestOptions = {}): Promise<Response> {
  const { query = {}, body, signal, accept = 'application/json' } = options;
  const url = new URL(path, document.baseURI);
  url.hash = '';
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== '') url.searchParams.set(name, String(value));
  }
  const given = token.value;
  const response = await fetch(url, {
    method,
    cache: 'no-store',
    credentials: 'omit',
    headers: {
      Accept: accept,
      ...(given === undefined ? {} : { Authorization: `Bearer ${given}` }),
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(signal === undefined ? {} : { signal }),
  }).catch((error: unknown) => {
    if (signal?.aborted === true) throw error;
    throw new ApiError(0, {
      code: 'OFFLINE',
      message: 'The server does not answer.',
      hint: 'Check that trellis serve is running, then try again.',
    });
  });
  if (response.ok) return response;
  // A token that was replaced meanwhile says nothing about the new one.
  if (response.status === 401 && given === token.value) needsSignIn.value = true;
  throw new ApiError(response.status, await errorBody(response));
}

async function errorBody(response: Response): Promise<ErrorBody> {
  try {
    const { error }: { error?: ErrorBody } = await response.json();
    return error ?? {};
  } catch {
    return {};
  }
}
