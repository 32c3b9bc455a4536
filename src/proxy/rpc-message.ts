import { isRecord } from '../model/is-record.js';
import { parseJsonOrUndefined } from '../model/json.js';

export type RpcMessageId = string | number;

/** As much of a message as a relay needs to know. */
export interface RpcMessage {
  /** The message as received; this is what is passed on. */
  readonly text: string;
  readonly kind: 'request' | 'notification' | 'response';
  readonly id: RpcMessageId | undefined;
  readonly method: string | undefined;
  readonly params: Readonly<Record<string, unknown>>;
  readonly result: Readonly<Record<string, unknown>>;
}

export function parseRpcMessage(text: string): RpcMessage | undefined {
  const value = parseJsonOrUndefined(text);
  if (!isRecord(value) || value['jsonrpc'] !== '2.0') return undefined;
  const { id, method, params, result } = value;
  const known = typeof id === 'string' || typeof id === 'number' ? id : undefined;
  if (method !== undefined && typeof method !== 'string') return undefined;
  if (method === undefined && !('result' in value) && !('error' in value)) return undefined;
  // A request whose id is null or an object could never be answered.
  if (method !== undefined && 'id' in value && known === undefined) return undefined;
  return {
    text,
    kind: method === undefined ? 'response' : known === undefined ? 'notification' : 'request',
    id: known,
    method,
    params: isRecord(params) ? params : {},
    result: isRecord(result) ? result : {},
  };
}

/** JSON strings contain no line breaks, so all of them are between values. */
export function onOneLine(text: string): string {
  return text.replace(/[\r\n]+/g, ' ');
}

const versionKey = 'io.modelcontextprotocol/protocolVersion';

/** The parameter that the header `Mcp-Name` repeats. */
const nameParameters: ReadonlyMap<string, string> = new Map([
  ['tools/call', 'name'],
  ['prompts/get', 'name'],
  ['resources/read', 'uri'],
  ['tasks/get', 'taskId'],
  ['tasks/update', 'taskId'],
  ['tasks/cancel', 'taskId'],
]);

/** Messages of the 2025 protocol do not say. */
export function protocolVersionOf({ params }: RpcMessage): string | undefined {
  const meta = params['_meta'];
  const version = isRecord(meta) ? meta[versionKey] : undefined;
  return typeof version === 'string' && /^[\w.-]{1,64}$/.test(version) ? version : undefined;
}

/** The headers that the 2026 protocol requires. */
export function protocolHeaders(message: RpcMessage): Record<string, string> {
  const version = protocolVersionOf(message);
  if (version === undefined || message.kind !== 'request' || message.method === undefined) return {};
  const name = message.params[nameParameters.get(message.method) ?? ''];
  return {
    'Mcp-Protocol-Version': version,
    'Mcp-Method': fieldValue(message.method),
    ...(typeof name === 'string' ? { 'Mcp-Name': fieldValue(name) } : {}),
  };
}

/** As it is where that is safe, else in the protocol's base64 form. */
function fieldValue(text: string): string {
  const plain = /^[\x21-\x7e]([\t\x20-\x7e]*[\x21-\x7e])?$/.test(text) && !/^=\?base64\?.*\?=$/.test(text);
  return plain ? text : `=?base64?${Buffer.from(text, 'utf8').toString('base64')}?=`;
}
