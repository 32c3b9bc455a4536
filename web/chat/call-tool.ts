import { link } from './host.js';
import type { Params } from './host-link.js';
import { parseToolResult, type ToolResult } from './tool-result.js';

export interface ToolCall {
  readonly name: string;
  readonly arguments: Params;
}

/** What the server, its policy or the host did not allow, in their own words. */
export class RefusedError extends Error {}

/** Calls a tool through the host, under the policy of the server. */
export async function callTool(call: ToolCall): Promise<ToolResult> {
  const result = await tryTool(call);
  if (!result.isError) return result;
  const { error, suggestions } = result.structured ?? {};
  const parts =
    typeof error === 'string' ? [error, ...(Array.isArray(suggestions) ? suggestions : [])] : result.texts;
  throw new RefusedError(parts.join(' '));
}

/** Also returns results that are errors. */
export async function tryTool(call: ToolCall): Promise<ToolResult> {
  const answer = await link.request('tools/call', { ...call }).catch((error: unknown) => {
    throw new RefusedError(error instanceof Error ? error.message : String(error));
  });
  return parseToolResult(answer);
}
