import { isRecord } from '../model/is-record.js';

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
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
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
