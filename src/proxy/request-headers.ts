import { isRecord } from '../model/is-record.js';
import type { RpcMessage } from './rpc-message.js';

/** Where a message of the protocol of 2026 says which version it speaks. */
const versionKey = 'io.modelcontextprotocol/protocolVersion';

/** The parameter that the header `Mcp-Name` repeats, by method. */
const nameParameters: ReadonlyMap<string, string> = new Map([
  ['tools/call', 'name'],
  ['prompts/get', 'name'],
  ['resources/read', 'uri'],
  ['tasks/get', 'taskId'],
  ['tasks/update', 'taskId'],
  ['tasks/cancel', 'taskId'],
]);

/** The version that a message says it speaks; those of 2025 do not say. */
export function protocolVersionOf({ params }: RpcMessage): string | undefined {
  const meta = params['_meta'];
  const version = isRecord(meta) ? meta[versionKey] : undefined;
  return typeof version === 'string' && /^[\w.-]{1,64}$/.test(version) ? version : undefined;
}

/** What the protocol of 2026 wants repeated in the headers of a request. */
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

/** A text as the value of a header: as it is where that is safe, else in the base64 form the protocol has for it. */
function fieldValue(text: string): string {
  const plain = /^[\x21-\x7e]([\t\x20-\x7e]*[\x21-\x7e])?$/.test(text) && !/^=\?base64\?.*\?=$/.test(text);
  return plain ? text : `=?base64?${Buffer.from(text, 'utf8').toString('base64')}?=`;
}
