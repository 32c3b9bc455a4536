import { asTrellisError, TrellisError } from '../model/error.js';
import { isRecord } from '../model/is-record.js';
import { readBodyText } from './response-messages.js';
import { parseRpcMessage, type RpcMessage } from './rpc-message.js';

const maxErrorBytes = 65_536;
const maxErrorLength = 1_000;

export interface UpstreamFailure {
  readonly message: string;
  readonly status?: number;
}

/** The server's own response to the message, if it sent one. */
export async function failureFromResponse(
  response: Response,
  sent: RpcMessage | undefined,
  where: { readonly url: URL; readonly tokenHint: string },
): Promise<string | UpstreamFailure> {
  const { status } = response;
  const text = response.body === null ? '' : await readBodyText(response.body, maxErrorBytes).catch(() => '');
  const own = parseRpcMessage(text);
  if (own?.kind === 'response' && own.id !== undefined && own.id === sent?.id) return text;
  const { message, hint } = describeRefusal(response, text, where);
  return { message: [message, hint].filter((part) => part !== undefined).join(' '), status };
}

/** What the server says, and what to do about it. */
export function describeRefusal(
  response: Response,
  text: string,
  where: { readonly url: URL; readonly tokenHint: string },
): { readonly message: string; readonly hint: string | undefined } {
  const { status } = response;
  // What a server says about tokens is for programs that send headers themselves.
  const words = status === 401 ? '' : errorMessageIn(text);
  const message = [`${where.url.origin} answered ${status}.`, words].filter((part) => part !== '').join(' ');
  return { message, hint: hintFor(response, where) };
}

function hintFor(
  { status, headers }: Response,
  { url, tokenHint }: { readonly url: URL; readonly tokenHint: string },
): string | undefined {
  if (status >= 300 && status < 400) {
    const target = headers.get('location');
    const to = target !== null && URL.canParse(target, url.href) ? new URL(target, url) : undefined;
    return `It redirects${to === undefined ? '' : ` to ${to.origin}${to.pathname}`}. Tokens are not sent to other addresses: if it is right, pass it with --url.`;
  }
  if (status === 401) return tokenHint;
  if (status === 403) return 'Ask the operator of the server for access.';
  if (status === 404)
    return `Check the path ${url.pathname}: the graph, surface or branch may not exist, or you may have no access.`;
  if (status === 429) {
    const seconds = headers.get('retry-after');
    return `Wait ${seconds === null ? 'a little' : `${seconds} s`}, and try again.`;
  }
  if (status >= 500) return 'Try again; if that does not help, look at the log of the server.';
  return undefined;
}

/** In JSON-RPC, as our routes do, or in plain text. */
function errorMessageIn(text: string): string {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return /^\s*</.test(text) ? '' : text.trim().slice(0, maxErrorLength);
  }
  const error = isRecord(value) ? value['error'] : undefined;
  const message = isRecord(error) ? error['message'] : error;
  return typeof message === 'string' ? message.slice(0, maxErrorLength) : '';
}

const reasons: ReadonlyMap<string, string> = new Map([
  ['ECONNREFUSED', 'connection refused'],
  ['ENOTFOUND', 'there is no such host'],
  ['EAI_AGAIN', 'the name of the host cannot be looked up now'],
  ['ECONNRESET', 'the connection broke'],
  ['UND_ERR_SOCKET', 'the connection broke'],
  ['UND_ERR_CONNECT_TIMEOUT', 'it does not answer'],
  ['UND_ERR_HEADERS_TIMEOUT', 'it took too long to answer'],
  ['UND_ERR_BODY_TIMEOUT', 'it took too long to answer'],
]);

export function failureFromError(thrown: unknown, url: URL): UpstreamFailure {
  if (thrown instanceof TrellisError)
    return { message: [thrown.message, thrown.hint ?? ''].join(' ').trim() };
  return { message: `${unreachableMessage(thrown, url)} ${unreachableHint}` };
}

export const unreachableHint = 'Start the server with trellis serve, or check --url, and try again.';

export function unreachableMessage(thrown: unknown, url: URL): string {
  const cause = thrown instanceof Error && thrown.cause instanceof Error ? thrown.cause : thrown;
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  return `Cannot reach ${url.origin}: ${reasons.get(code) ?? asTrellisError(cause).message}.`;
}
