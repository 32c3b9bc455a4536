import { Client, type ClientCapabilities } from '@modelcontextprotocol/client';

/** Both protocols a client can speak, for `describe.each`. */
export const eras = [
  { era: '2025', mode: 'legacy' as const },
  { era: '2026', mode: { pin: '2026-07-28' } },
];

export type Era = (typeof eras)[number];

export function clientOf({ mode }: Era, capabilities: ClientCapabilities = {}): Client {
  return new Client({ name: 'test', version: '0' }, { versionNegotiation: { mode }, capabilities });
}

/** What a client declares that shows MCP Apps. */
export const showsApps: ClientCapabilities = {
  extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } },
};
