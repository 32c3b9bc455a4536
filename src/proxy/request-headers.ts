import { isRecord } from '../model/is-record.js';
import type { RpcMessage } from './rpc-message.js';

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
